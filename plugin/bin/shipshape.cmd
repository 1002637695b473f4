@echo off
rem Starts shipshape on Windows, on the Java 25 that JAVA_HOME or the PATH has.
rem SHIPSHAPE_JAVA_OPTIONS adds JVM options.
setlocal
set "here=%~dp0"
set "home=%here%runtime"
rem The last file of the archive: an unpacking that broke off is repeated.
if not exist "%home%\options\webhook" (
  echo shipshape: unpacking into %home% ^(once^) 1>&2
  if not exist "%home%" mkdir "%home%"
  tar -xzf "%here%runtime.tgz" -C "%home%" || (
    echo shipshape: could not unpack %here%runtime.tgz into %home% 1>&2
    exit /b 4
  )
)
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" -version 2>&1 | findstr /r /c:"version .25" >nul || (
  echo shipshape: needs Java 25: install one ^(any vendor^), or point JAVA_HOME at one 1>&2
  exit /b 4
)
set "JAVA_TOOL_OPTIONS="
set "JDK_JAVA_OPTIONS="
set "_JAVA_OPTIONS="
set "options=command"
if "%~1"=="audit" set "options=audit"
"%java%" "@%home%\options\common" "@%home%\options\%options%" %SHIPSHAPE_JAVA_OPTIONS% "-Dshipshape.home=%home%" --enable-native-access=ALL-UNNAMED -cp "%home%\lib\shipshape.jar" dev.shipshape.plugin.command.Shipshape %*
exit /b %ERRORLEVEL%
