# psflip_room(TARGET FOLDER): headers of FOLDER are included by their path from the root of the sources, for example
# "engine/core/word.hpp", and only by TARGET and the targets that link it: a directory of its own leads to each folder, so
# that a forbidden include finds no file.
function(psflip_room target folder)
  string(REPLACE "/" "_" name ${folder})
  set(include ${PROJECT_BINARY_DIR}/include/${name})
  get_filename_component(parent ${include}/${folder} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${include}/${folder} SYMBOLIC)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    target_include_directories(${target} INTERFACE ${include})
  else()
    target_include_directories(${target} PUBLIC ${include})
  endif()
endfunction()
