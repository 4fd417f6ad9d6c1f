# Libraries and programs whose files are compiled in units of several files: most of the time goes into headers, so a whole
# build takes half the processor time. After an edit the other files of the unit are compiled too; who edits much turns it
# off (CONTRIBUTING.md). Names in unnamed namespaces are unique within a target.
option(PSFLIP_UNITY "Compile several files of a target as one unit" ON)
function(psflip_unity)
  if(PSFLIP_UNITY)
    set_target_properties(${ARGV} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()
