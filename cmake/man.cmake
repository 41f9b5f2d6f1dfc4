# Manual pages, one for the program and one for each command, written by the program itself from the
# table its help comes from: `hcbr --print-man hcbr`, `hcbr --print-man train`, ...
if(HCBR_MAN AND NOT CMAKE_CROSSCOMPILING)
  file(GLOB commands CONFIGURE_DEPENDS cli/cmd_*.c)
  set(pages "")
  foreach(source hcbr ${commands})
    get_filename_component(name ${source} NAME_WE)
    string(REPLACE cmd_ "" name ${name})
    set(page ${CMAKE_CURRENT_BINARY_DIR}/man/hcbr-${name}.1)
    if(name STREQUAL hcbr)
      set(page ${CMAKE_CURRENT_BINARY_DIR}/man/hcbr.1)
    endif()
    # No leak check: it cannot run inside some build sandboxes, and is not what is built here.
    add_custom_command(OUTPUT ${page}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/man
      COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:hcbr>
        --print-man ${name} > ${page}
      DEPENDS hcbr COMMENT "Manual page ${name}" VERBATIM)
    list(APPEND pages ${page})
  endforeach()
  add_custom_target(man ALL DEPENDS ${pages})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
