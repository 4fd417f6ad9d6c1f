"""Commands for people; gather.py is called by the rule reduce, whose shell text is frozen."""
