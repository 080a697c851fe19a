"""src/rooms, the one list of the modules. A row of `strategy/*` stands for every folder there that has no row of its own."""


def read_rows(root):
    """room as the list has it: (library, rooms it may include)"""
    rows = [line.split() for line in (root / "src/rooms").read_text().splitlines() if not line.startswith("#")]
    return {room: (library, others) for library, room, *others in rows}


def read_rooms(root):
    """room: (library, rooms it may include, itself among them)"""
    rows, rooms = read_rows(root), {}
    for room, (library, others) in rows.items():
        folders = [str(path.relative_to(root / "src")) for path in sorted((root / "src").glob(room)) if path.is_dir()] if room.endswith("/*") else [room]
        for folder in folders:
            if folder == room or folder not in rows:
                rooms[folder] = (library, [*others, folder])
    return rooms
