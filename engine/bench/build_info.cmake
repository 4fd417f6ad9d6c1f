# Run at every build: writes build_info.hpp anew only when the commit has changed.
# A commit that was given at configure time counts, for sources without a git history.
if(NOT PSFLIP_GIT_COMMIT)
  execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 OUTPUT_VARIABLE PSFLIP_GIT_COMMIT
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT PSFLIP_GIT_COMMIT)
  set(PSFLIP_GIT_COMMIT unknown)
endif()
configure_file(${SOURCE_DIR}/engine/bench/build_info.hpp.in ${OUTPUT} @ONLY)
