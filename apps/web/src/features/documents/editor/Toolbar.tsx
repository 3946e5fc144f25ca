import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import './icons.tsx';

/** What needs a dialog or a file. */
export interface ToolbarActs {
  link: () => void;
  picture: () => void;
  comment: () => void;
  task: () => void;
}

interface Tool {
  key: string;
  icon: IconName;
  run: () => void;
  /** Pressed; undefined for buttons that only act. */
  isOn?: boolean | undefined;
  isOff?: boolean;
}

const isIn = (editor: Editor, name: string, attributes?: object): boolean => editor.isActive(name, attributes);

function marksOf(editor: Editor): Tool[] {
  const chain = () => editor.chain().focus();
  const heading = (level: 1 | 2 | 3): Tool => ({
    key: `heading${level}`,
    icon: `heading${level}`,
    isOn: isIn(editor, 'heading', { level }),
    run: () => chain().toggleHeading({ level }).run(),
  });
  return [
    { key: 'undo', icon: 'undo', run: () => chain().undo().run() },
    { key: 'redo', icon: 'redo', run: () => chain().redo().run() },
    heading(1),
    heading(2),
    heading(3),
    { key: 'bold', icon: 'bold', isOn: isIn(editor, 'bold'), run: () => chain().toggleBold().run() },
    { key: 'italic', icon: 'italic', isOn: isIn(editor, 'italic'), run: () => chain().toggleItalic().run() },
    {
      key: 'underline',
      icon: 'underline',
      isOn: isIn(editor, 'underline'),
      run: () => chain().toggleUnderline().run(),
    },
    { key: 'strike', icon: 'strike', isOn: isIn(editor, 'strike'), run: () => chain().toggleStrike().run() },
  ];
}

function blocksOf(editor: Editor, acts: ToolbarActs): Tool[] {
  const chain = () => editor.chain().focus();
  const { from, to } = editor.state.selection;
  return [
    { key: 'bullets', icon: 'bullets', isOn: isIn(editor, 'bulletList'), run: () => chain().toggleBulletList().run() },
    {
      key: 'numbers',
      icon: 'numbers',
      isOn: isIn(editor, 'orderedList'),
      run: () => chain().toggleOrderedList().run(),
    },
    { key: 'tasks', icon: 'tasks', isOn: isIn(editor, 'taskList'), run: () => chain().toggleTaskList().run() },
    { key: 'taskDetail', icon: 'taskDetail', isOff: !isIn(editor, 'taskItem'), run: acts.task },
    { key: 'quote', icon: 'quote', isOn: isIn(editor, 'blockquote'), run: () => chain().toggleBlockquote().run() },
    {
      key: 'codeBlock',
      icon: 'codeBlock',
      isOn: isIn(editor, 'codeBlock'),
      run: () => chain().toggleCodeBlock().run(),
    },
    { key: 'link', icon: 'hyperlink', isOn: isIn(editor, 'link'), run: acts.link },
    { key: 'picture', icon: 'image', run: acts.picture },
    { key: 'ruler', icon: 'ruler', run: () => chain().setHorizontalRule().run() },
    { key: 'comment', icon: 'remark', isOff: from === to, run: acts.comment },
  ];
}

function tableOf(editor: Editor): Tool[] {
  const chain = () => editor.chain().focus();
  const isOff = !isIn(editor, 'table');
  return [
    {
      key: 'table',
      icon: 'table',
      isOff: !isOff,
      run: () => chain().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    },
    { key: 'rowAdd', icon: 'rowAdd', isOff, run: () => chain().addRowAfter().run() },
    { key: 'rowRemove', icon: 'rowRemove', isOff, run: () => chain().deleteRow().run() },
    { key: 'columnAdd', icon: 'columnAdd', isOff, run: () => chain().addColumnAfter().run() },
    { key: 'columnRemove', icon: 'columnRemove', isOff, run: () => chain().deleteColumn().run() },
    { key: 'tableRemove', icon: 'tableRemove', isOff, run: () => chain().deleteTable().run() },
  ];
}

/** The editor's buttons: one stop of the Tab key, arrow keys move between them (WAI-ARIA, toolbar). */
export function Toolbar({ editor, acts }: { editor: Editor; acts: ToolbarActs }) {
  const t = useTexts('documents');
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  // Draws again when the selection has changed.
  useEditorState({ editor, selector: ({ transactionNumber }) => transactionNumber });
  const tools = [...marksOf(editor), ...blocksOf(editor, acts), ...tableOf(editor)];

  const move = (event: KeyboardEvent) => {
    const last = tools.length - 1;
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tools.length) % tools.length;
    setCurrent(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div
      ref={bar}
      className="document-toolbar"
      role="toolbar"
      aria-label={t('toolbar.label')}
      aria-orientation="horizontal"
      data-testid="toolbar"
      onKeyDown={move}
    >
      {tools.map(({ key, icon, isOn, isOff = false, run }, at) => (
        <button
          key={key}
          type="button"
          title={t(`toolbar.${key}` as 'toolbar.bold')}
          aria-label={t(`toolbar.${key}` as 'toolbar.bold')}
          aria-pressed={isOn}
          aria-disabled={isOff}
          tabIndex={at === current ? 0 : -1}
          data-testid={`tool-${key}`}
          onFocus={() => setCurrent(at)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            if (!isOff) run();
          }}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
