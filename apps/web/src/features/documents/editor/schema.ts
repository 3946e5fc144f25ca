import { CONTENT, isSafeLink } from '@rmeet/documents';
import { Mark, mergeAttributes, Node, type Extensions } from '@tiptap/core';
import { Collaboration } from '@tiptap/extension-collaboration';
import { TaskItem, TaskList } from '@tiptap/extension-list';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';
import type { Doc } from 'yjs';
import { OpenComments } from './openComments.ts';
import { Cursors, type People } from './people.ts';

/** A stored picture of the document. */
interface PictureOptions {
  /** Loads a picture of the document. */
  load: (fileId: string) => Promise<Blob>;
  /** Shown instead of a picture that cannot be loaded. */
  missing: () => string;
}

const Picture = Node.create<PictureOptions>({
  name: 'picture',
  group: 'block',
  atom: true,
  draggable: true,
  addOptions: () => ({ load: () => Promise.reject(new Error('no source')), missing: () => '' }),
  addAttributes: () => ({
    fileId: { default: null, parseHTML: (element) => element.getAttribute('data-file') },
    alt: { default: '', parseHTML: (element) => element.getAttribute('alt') ?? '' },
  }),
  parseHTML: () => [{ tag: 'img[data-file]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'img',
    mergeAttributes(HTMLAttributes, { 'data-file': String(node.attrs['fileId'] ?? '') }),
  ],
  addNodeView() {
    const { load, missing } = this.options;
    return ({ node }) => {
      const dom = document.createElement('figure');
      const image = document.createElement('img');
      image.alt = String(node.attrs['alt'] ?? '');
      dom.className = 'document-picture';
      dom.append(image);
      let url = '';
      let isOver = false;
      const show = async (): Promise<void> => {
        try {
          const blob = await load(String(node.attrs['fileId'] ?? ''));
          if (isOver) return;
          url = URL.createObjectURL(blob);
          image.src = url;
        } catch {
          dom.textContent = image.alt || missing();
          dom.classList.add('document-picture-missing');
        }
      };
      void show();
      return {
        dom,
        destroy() {
          isOver = true;
          if (url !== '') URL.revokeObjectURL(url);
        },
      };
    };
  },
});

/** A task: done or not, who does it, and until when. */
interface Words {
  done: (text: string) => string;
  note: (person: string, due: string) => string;
}

const Task = TaskItem.extend<Record<string, unknown> & { words: Words }>({
  addOptions() {
    const words: Words = { done: () => '', note: () => '' };
    return { ...this.parent?.(), words };
  },
  addAttributes() {
    return {
      ...this.parent?.(),
      personId: { default: '', parseHTML: (element) => element.dataset['personId'] ?? '', renderHTML: () => ({}) },
      person: {
        default: '',
        parseHTML: (element) => element.dataset['person'] ?? '',
        renderHTML: ({ person }) => (person ? { 'data-person': String(person) } : {}),
      },
      due: {
        default: '',
        parseHTML: (element) => element.dataset['due'] ?? '',
        renderHTML: ({ due }) => (due ? { 'data-due': String(due) } : {}),
      },
    };
  },
  addNodeView() {
    const { words } = this.options;
    return ({ node, getPos, editor }) => {
      const dom = document.createElement('li');
      const box = document.createElement('input');
      const contentDOM = document.createElement('div');
      const note = document.createElement('span');
      box.type = 'checkbox';
      note.className = 'document-task-note';
      note.contentEditable = 'false';
      dom.className = 'document-task';
      dom.append(box, contentDOM, note);
      let current = node;
      const show = (): void => {
        const { checked, person, due } = current.attrs as { checked: boolean; person: string; due: string };
        box.checked = checked;
        box.disabled = !editor.isEditable;
        box.setAttribute('aria-label', words.done(current.textContent));
        note.textContent = person || due ? words.note(person, due) : '';
        dom.dataset['checked'] = String(checked);
      };
      box.addEventListener('change', () => {
        const at = getPos();
        if (at === undefined || !editor.isEditable) return;
        editor.view.dispatch(editor.state.tr.setNodeAttribute(at, 'checked', box.checked));
      });
      editor.on('update', show);
      show();
      return {
        dom,
        contentDOM,
        ignoreMutation: (mutation) => mutation.type !== 'selection' && !contentDOM.contains(mutation.target),
        stopEvent: (event) => event.target === box,
        update(updated) {
          if (updated.type !== current.type) return false;
          current = updated;
          show();
          return true;
        },
        destroy: () => void editor.off('update', show),
      };
    };
  },
});

/** Marks the part of the text that a comment is about. Comments may overlap. */
const Comment = Mark.create({
  name: 'comment',
  excludes: '',
  inclusive: false,
  addAttributes: () => ({ id: { default: null, parseHTML: (element) => element.getAttribute('data-comment') } }),
  parseHTML: () => [{ tag: 'span[data-comment]' }],
  renderHTML: ({ mark }) => ['span', { class: 'document-comment', 'data-comment': String(mark.attrs['id']) }, 0],
});

/** What documents may contain; the server accepts the same (packages/documents). */
export function extensionsOf(doc: Doc, options: PictureOptions & { words: Words; people: People }): Extensions {
  const { load, missing, words, people } = options;
  return [
    StarterKit.configure({
      // Yjs keeps what can be undone.
      undoRedo: false,
      heading: { levels: [1, 2, 3] },
      link: {
        openOnClick: false,
        defaultProtocol: 'https',
        isAllowedUri: (url) => isSafeLink(url),
      },
    }),
    TaskList,
    Task.configure({ nested: true, words }),
    Table.configure({ resizable: false }),
    TableRow,
    TableHeader,
    TableCell,
    Picture.configure({ load, missing }),
    Comment,
    Collaboration.configure({ document: doc, field: CONTENT }),
    OpenComments.configure({ doc }),
    Cursors.configure({ people }),
  ];
}
