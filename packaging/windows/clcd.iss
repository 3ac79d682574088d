; Makes the installer for Windows with Inno Setup 6: iscc /DVersion=0.1.0 packaging\windows\clcd.iss
; Run it in the project's folder after packaging\build.py. It has never been run yet.

#ifndef Version
  #error Give the version: iscc /DVersion=0.1.0 packaging\windows\clcd.iss
#endif

[Setup]
AppId={{7E5C1A52-3C5D-4B0B-9C86-6E0B7C5A1D3F}
AppName=CLCD
AppVersion={#Version}
AppPublisher=The CLCD authors
VersionInfoVersion={#Version}
DefaultDirName={autopf}\CLCD
DefaultGroupName=CLCD
DisableProgramGroupPage=yes
; For oneself alone without rights of an administrator, or for everybody with them.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
ChangesAssociations=yes
ChangesEnvironment=yes
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\made\clcd.ico
UninstallDisplayIcon={app}\clcd-gui.exe
SourceDir=.
OutputDir=..\..\dist
OutputBaseFilename=clcd-{#Version}-windows-x64
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; GroupDescription: "{cm:AdditionalIcons}"; Flags: unchecked
Name: "path"; Description: "Find the command clcd in every terminal"; Flags: unchecked

[Files]
Source: "..\..\dist\clcd\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs
Source: "..\..\build\made\document.ico"; DestDir: "{app}"; Flags: ignoreversion

[InstallDelete]
; Parts of an earlier version that this one does not have.
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{group}\CLCD"; Filename: "{app}\clcd-gui.exe"
Name: "{autodesktop}\CLCD"; Filename: "{app}\clcd-gui.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\.clcd\OpenWithProgids"; ValueType: string; ValueName: "CLCD.Project"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.clcd"; ValueType: string; ValueName: ""; ValueData: "CLCD.Project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\CLCD.Project"; ValueType: string; ValueName: ""; ValueData: "CLCD project"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\CLCD.Project\DefaultIcon"; ValueType: string; ValueName: ""; ValueData: "{app}\document.ico"
Root: HKA; Subkey: "Software\Classes\CLCD.Project\shell\open\command"; ValueType: string; ValueName: ""; ValueData: """{app}\clcd-gui.exe"" ""%1"""
Root: HKA; Subkey: "{code:EnvironmentKey}"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: IsNotOnPath

[Run]
Filename: "{app}\clcd-gui.exe"; Description: "{cm:LaunchProgram,CLCD}"; Flags: nowait postinstall skipifsilent

[Code]
function EnvironmentKey(Unused: String): String;
begin
  if IsAdminInstallMode then
    Result := 'SYSTEM\CurrentControlSet\Control\Session Manager\Environment'
  else
    Result := 'Environment';
end;

function PathNow: String;
begin
  if not RegQueryStringValue(HKA, EnvironmentKey(''), 'Path', Result) then
    Result := '';
end;

function IsNotOnPath: Boolean;
begin
  Result := Pos(';' + Lowercase(ExpandConstant('{app}')) + ';', ';' + Lowercase(PathNow) + ';') = 0;
end;

{ The folder leaves the path again, and nothing else of the path changes. }
procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Whole: String;
  Position: Integer;
begin
  if Step <> usPostUninstall then
    exit;
  Whole := PathNow;
  Position := Pos(';' + Lowercase(ExpandConstant('{app}')), Lowercase(Whole));
  if Position > 0 then
  begin
    Delete(Whole, Position, Length(ExpandConstant(';{app}')));
    RegWriteExpandStringValue(HKA, EnvironmentKey(''), 'Path', Whole);
  end;
end;
