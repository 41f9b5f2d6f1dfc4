# What the program writes about itself, from the tables its help comes from: manual pages, one for
# the program and one for each command (hcbr --print-man NAME), and completions for shells
# (hcbr --print-completion SHELL). The pages of the file formats are written by hand.
if(NOT HCBR_MAN OR CMAKE_CROSSCOMPILING)
  return()
endif()

set(pages "")
set(all_pages "")

# hcbr_ask(FILE WORDS...): FILE, relative to the build folder, is what the program then prints.
function(hcbr_ask file)
  get_filename_component(folder ${CMAKE_CURRENT_BINARY_DIR}/${file} DIRECTORY)
  # No leak check: it cannot run inside some build sandboxes, and is not what is built here.
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:hcbr> ${ARGN}
      > ${CMAKE_CURRENT_BINARY_DIR}/${file}
    DEPENDS hcbr COMMENT "Writing ${file}" VERBATIM)
endfunction()

# The commands are those of the table.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cli/main.c)
file(STRINGS cli/main.c rows REGEX "^ +{\\.name = \"[a-z]+\",$")
foreach(row hcbr ${rows})
  string(REGEX MATCH "[a-z]+\",$" name "${row}")
  string(REPLACE "\"," "" name "${name}")
  set(page man/hcbr-${name}.1)
  if(row STREQUAL hcbr)
    set(name hcbr)
    set(page man/hcbr.1)
  endif()
  hcbr_ask(${page} --print-man ${name})
  list(APPEND pages ${CMAKE_CURRENT_BINARY_DIR}/${page})
endforeach()
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
list(APPEND all_pages ${pages})

# Pages of the file formats; the sections of a model are named where they are specified.
set(HCBR_MODEL_SECTIONS "")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS docs/FORMAT.md)
file(STRINGS docs/FORMAT.md rows REGEX "^\\| [0-9]+ \\| [a-z]+ \\| [^|]+ \\|$")
foreach(row ${rows})
  string(REGEX REPLACE "^\\| ([0-9]+) \\| ([a-z]+) \\| ([^|]+) \\|$"
    "\n\\1\t\\2\t\\3" row "${row}")
  string(REPLACE "`" "" row "${row}")
  string(APPEND HCBR_MODEL_SECTIONS "${row}")
endforeach()
string(STRIP "${HCBR_MODEL_SECTIONS}" HCBR_MODEL_SECTIONS)
foreach(name hcbr-input hcbr-model)
  configure_file(docs/man/${name}.5 man/${name}.5 @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/man/${name}.5
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
endforeach()

# Each where its shell looks for it.
foreach(shell_place bash:bash-completion/completions/hcbr zsh:zsh/site-functions/_hcbr
    fish:fish/vendor_completions.d/hcbr.fish)
  string(REGEX MATCH "^[a-z]+" shell ${shell_place})
  string(REGEX REPLACE "^[a-z]+:" "" place ${shell_place})
  hcbr_ask(completions/${place} --print-completion ${shell})
  get_filename_component(folder ${place} DIRECTORY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/completions/${place}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
  list(APPEND all_pages ${CMAKE_CURRENT_BINARY_DIR}/completions/${place})
endforeach()

add_custom_target(pages ALL DEPENDS ${all_pages})
