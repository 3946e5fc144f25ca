import { defineIcons } from '../../../ui/icons.tsx';

declare module '../../../ui/icons.tsx' {
  interface IconSets {
    editor: typeof drawings;
  }
}

/** Icons of the editor's toolbar, on a grid of 20 by 20. */
const drawings = {
  undo: <path d="M4 8h8a4 4 0 0 1 0 8H8M7 5 4 8l3 3" />,
  redo: <path d="M16 8H8a4 4 0 0 0 0 8h4M13 5l3 3-3 3" />,
  heading1: <path d="M3 5v10M9 5v10M3 10h6M14 8l2-1.500v8.500" />,
  heading2: <path d="M3 5v10M9 5v10M3 10h6M13 9a2 2 0 1 1 3.500 1.300L13 15h4" />,
  heading3: <path d="M3 5v10M9 5v10M3 10h6M13 7.500h4l-2.500 3a2.200 2.200 0 1 1-1.500 3.800" />,
  bold: <path d="M6 4h5a3 3 0 0 1 0 6H6zM6 10h6a3 3 0 0 1 0 6H6z" strokeWidth="2" />,
  italic: <path d="M8 4h7M5 16h7M12 4 8 16" />,
  underline: <path d="M6 4v5a4 4 0 0 0 8 0V4M5 16.500h10" />,
  strike: <path d="M3.500 10h13M14 6a4 3 0 0 0-8 0c0 2 2 2.500 4 3M6 14a4 3 0 0 0 8 0c0-.8-.3-1.500-.8-2" />,
  bullets: <path d="M8 5h9M8 10h9M8 15h9M4 5h.01M4 10h.01M4 15h.01" strokeWidth="1.800" />,
  numbers: <path d="M8 5h9M8 10h9M8 15h9M3 4l1.200-.8V7M3 9h2l-2 3h2.200M3 14h2v3H3" strokeWidth="1.300" />,
  tasks: <path d="M9 5h8M9 10h8M9 15h8M3 5l1.200 1.200L6.500 4M3 10l1.200 1.200L6.500 9M3 15l1.200 1.200L6.500 14" />,
  quote: <path d="M8 6C5.500 7 4 9 4 12v2h4v-4H5.500M16 6c-2.500 1-4 3-4 6v2h4v-4h-2.500" />,
  codeBlock: <path d="m7 6-4 4 4 4M13 6l4 4-4 4" />,
  hyperlink: (
    <path
      d={
        'M8.500 11.500a3 3 0 0 0 4.200 0l2.800-2.800a3 3 0 0 0-4.200-4.200l-1 1' +
        'M11.500 8.500a3 3 0 0 0-4.200 0l-2.800 2.800a3 3 0 0 0 4.200 4.200l1-1'
      }
    />
  ),
  image: <path d="M3 4h14v12H3zM3 14l4-4 3 3 3-4 4 4M7 7.500h.01" />,
  table: <path d="M3 4h14v12H3zM3 8h14M3 12h14M8 4v12M12.500 4v12" />,
  rowAdd: <path d="M3 4h14v5H3zM10 12v5M7.500 14.500h5" />,
  rowRemove: <path d="M3 4h14v5H3zM7.500 14.500h5" />,
  columnAdd: <path d="M3 3h5v14H3zM14 7.500v5M11.500 10h5" />,
  columnRemove: <path d="M3 3h5v14H3zM11.500 10h5" />,
  tableRemove: <path d="M3 4h14v12H3zM7 7l6 6M13 7l-6 6" />,
  ruler: <path d="M3 10h14" />,
  remark: <path d="M4 4h12v9H9l-4 3.500V13H4z" />,
  taskDetail: <path d="M10 9a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM4 16.500c0-3 2.500-5 6-5s6 2 6 5" />,
};

defineIcons(drawings, 20);
