# src/rooms, the one list of the rooms, as source files.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/rooms)

# The C files of the rooms of a library; of one room, and the rooms in it, where it is named.
function(ll_room_sources out library)
  set(found)
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/rooms rows REGEX "^${library} ")
  foreach(row ${rows})
    string(REGEX REPLACE "^[^ ]+ +([^ ]+).*$" "\\1" room "${row}")
    if("${ARGN}" STREQUAL "" OR "${room}/" MATCHES "^${ARGN}/")
      file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.c)
      list(APPEND found ${sources})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found) # a room with a row of its own is among those of `strategy/*`, too
  if(NOT found)
    message(FATAL_ERROR "src/rooms: no room ${ARGN} of ${library}")
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
