# What is installed in addition to the program: libraries, headers, documents, and the files by
# which pkg-config and CMake find them. They refer to each other by relative paths, so that a
# whole installed tree can be moved.
include(CMakePackageConfigHelpers)

# Two export sets: who links the shared library needs nothing of what the static one is linked with.
set_target_properties(libhcbr PROPERTIES EXPORT_NAME hcbr)
set_target_properties(libhcbr_static PROPERTIES EXPORT_NAME hcbr_static)
target_link_libraries(libhcbr_static INTERFACE $<INSTALL_INTERFACE:PkgConfig::HCBR_STATIC>
  $<INSTALL_INTERFACE:Threads::Threads> $<INSTALL_INTERFACE:m>)
install(TARGETS libhcbr EXPORT hcbrTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS libhcbr_static EXPORT hcbrStaticTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${HCBR_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hcbr)

string(REPLACE ";" " " HCBR_PC_MODULES "${HCBR_MODULES}")
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hcbr)
install(EXPORT hcbrTargets NAMESPACE hcbr:: DESTINATION ${package})
install(EXPORT hcbrStaticTargets NAMESPACE hcbr:: DESTINATION ${package})
configure_package_config_file(cmake/hcbrConfig.cmake.in hcbrConfig.cmake
  INSTALL_DESTINATION ${package})
# Until 1.0 a new MINOR may change the interface.
write_basic_package_version_file(hcbrConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hcbrConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/hcbrConfigVersion.cmake DESTINATION ${package})

file(RELATIVE_PATH HCBR_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/hcbr.pc.in hcbr.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hcbr.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(GLOB HCBR_DOCS CONFIGURE_DEPENDS docs/*.md)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${HCBR_DOCS} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
