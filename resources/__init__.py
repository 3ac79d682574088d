"""Files that come with the program: icons, example data sets, help pages. No code lives here."""
