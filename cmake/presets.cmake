# The registry of models for CMake: PSFLIP_PRESETS is the list of names, and of each preset NAME there are
# PSFLIP_PRESET_NAME_DIMENSION, _COUPLINGS and _FIELD. engine/models/presets.def is the only list of presets.
set(registry ${PROJECT_SOURCE_DIR}/engine/models/presets.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${registry})
file(STRINGS ${registry} lines REGEX "^PSFLIP_PRESET\\(")
set(PSFLIP_PRESETS "")
foreach(line ${lines})
  string(REGEX MATCH "^PSFLIP_PRESET\\(([a-z0-9]+), [0-9]+, ([23]), ([a-z_]+), ([a-z_]+)," matched "${line}")
  if(NOT matched)
    message(FATAL_ERROR "${registry}: the line '${line}' is not PSFLIP_PRESET(name, number, dimension, couplings, field, method, \"title\").")
  endif()
  set(name ${CMAKE_MATCH_1})
  list(APPEND PSFLIP_PRESETS ${name})
  set(PSFLIP_PRESET_${name}_DIMENSION ${CMAKE_MATCH_2})
  set(PSFLIP_PRESET_${name}_COUPLINGS ${CMAKE_MATCH_3})
  set(PSFLIP_PRESET_${name}_FIELD ${CMAKE_MATCH_4})
endforeach()

# psflip_has_preset(RESULT dimension couplings field): whether a member of the family has a name.
function(psflip_has_preset result dimension couplings field)
  set(${result} FALSE PARENT_SCOPE)
  foreach(name ${PSFLIP_PRESETS})
    if("${dimension} ${couplings} ${field}" STREQUAL
       "${PSFLIP_PRESET_${name}_DIMENSION} ${PSFLIP_PRESET_${name}_COUPLINGS} ${PSFLIP_PRESET_${name}_FIELD}")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
