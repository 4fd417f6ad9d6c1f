# cmake --install build --prefix DIR: programs into bin, their man pages and completions, the licence and pages into share.
include(GNUInstallDirs)

# psflip_install_program(TARGET): the program, and texts that cmake/install_texts.py makes from its --help.
function(psflip_install_program target)
  # HDF5, MPI or CUDA outside the folders of the system are found there by the installed program too.
  set_target_properties(${target} PROPERTIES INSTALL_RPATH_USE_LINK_PATH TRUE)
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(CODE "set(program \"$<TARGET_FILE:${target}>\")
set(script \"${PROJECT_SOURCE_DIR}/cmake/install_texts.py\")
set(share \"${CMAKE_INSTALL_DATADIR}\")
include(\"${PROJECT_SOURCE_DIR}/cmake/install_texts.cmake\")")
endfunction()

install(FILES README.md LICENSE THIRD_PARTY.md CITATION.cff CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN screenshots EXCLUDE)
