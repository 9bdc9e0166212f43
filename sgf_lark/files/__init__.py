"""Files of users: folders, archives and packed files, read up to a size; the core needs none."""
