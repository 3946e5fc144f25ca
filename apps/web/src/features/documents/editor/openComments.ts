import { COMMENTS, type DocumentComment } from '@rmeet/documents';
import { Extension, type Editor } from '@tiptap/core';
import { Plugin, PluginKey, type EditorState } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type { Doc } from 'yjs';
import { session } from '../../../lib/browser.ts';
import { redraw } from './people.ts';

const key = new PluginKey<DecorationSet>('openComments');

/** Texts with comments that are not resolved. */
function drawn(state: EditorState, doc: Doc): DecorationSet {
  const comments = doc.getMap<DocumentComment>(COMMENTS);
  const all: Decoration[] = [];
  state.doc.descendants((node, at) => {
    const isOpen = node.marks.some(
      ({ type, attrs }) => type.name === 'comment' && comments.get(String(attrs['id']))?.resolved === false,
    );
    if (isOpen) all.push(Decoration.inline(at, at + node.nodeSize, { class: 'document-comment-open' }));
  });
  return DecorationSet.create(state.doc, all);
}

/** Highlights what is commented on, as long as the comment is open. */
export const OpenComments = Extension.create<{ doc: Doc | null }>({
  name: 'openComments',
  addOptions: () => ({ doc: null }),
  addProseMirrorPlugins() {
    const { doc } = this.options;
    if (!doc) return [];
    const plugin: Plugin<DecorationSet> = new Plugin({
      key,
      state: {
        init: (_, state) => drawn(state, doc),
        apply: (transaction, before, _, state) =>
          transaction.docChanged || transaction.getMeta(key) !== undefined ? drawn(state, doc) : before,
      },
      props: { decorations: (state) => plugin.getState(state) },
      view: (view) => {
        const comments = doc.getMap(COMMENTS);
        const look = (): void => redraw(view, key);
        comments.observe(look);
        return { destroy: () => comments.unobserve(look) };
      },
    });
    return [plugin];
  },
});

/** Whether the server has put name and time into a comment; before that, changes of it would be lost. */
export const isKept = ({ at }: DocumentComment): boolean => at !== '';

/** Adds a comment, or with `to` an answer, and returns its id. The server puts in the name again, and the time. */
export function addComment(doc: Doc, said: Pick<DocumentComment, 'text' | 'to'>): string {
  const id = crypto.randomUUID();
  const { id: userId, name } = session.user ?? { id: '', name: '' };
  const comment: DocumentComment = { id, userId, name, at: '', resolved: false, ...said };
  doc.getMap(COMMENTS).set(id, comment);
  return id;
}

/** Deletes a comment, and its mark in the text. */
export function removeComment(editor: Editor, doc: Doc, id: string): void {
  const mark = editor.schema.marks['comment'];
  if (mark) editor.view.dispatch(editor.state.tr.removeMark(0, editor.state.doc.content.size, mark.create({ id })));
  doc.getMap(COMMENTS).delete(id);
}
