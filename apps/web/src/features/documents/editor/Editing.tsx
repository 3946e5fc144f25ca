import { errorMessage, type DocumentDetail } from '@rmeet/contract';
import type { ConnectionState } from '@rmeet/documents';
import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { EditorContent, useEditor } from '@tiptap/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { Comments } from './Comments.tsx';
import { DocumentHeader } from './DocumentHeader.tsx';
import { CommentDialog, LinkDialog, TaskDialog } from './dialogs.tsx';
import { addPicture, picturesOf } from './pictures.ts';
import { extensionsOf } from './schema.ts';
import { Toolbar } from './Toolbar.tsx';
import { useConnection } from './useConnection.ts';

type Opened = 'link' | 'task' | 'comment' | null;

/** The open document: its header, toolbar, text and comments. */
export function Editing({ detail }: { detail: DocumentDetail }) {
  const { doc, state, people } = useConnection(detail.id);
  const t = useTexts('documents');
  const [opened, setOpened] = useState<Opened>(null);
  const file = useRef<HTMLInputElement>(null);
  const mayWrite = state.right !== 'read' && state.phase !== 'refused';
  const editor = useDocumentEditor(detail.id, { doc, people, mayWrite });
  const close = () => setOpened(null);
  const acts = {
    link: () => setOpened('link'),
    task: () => setOpened('task'),
    comment: () => setOpened('comment'),
    picture: () => file.current?.click(),
  };
  return (
    <>
      <DocumentHeader detail={detail} state={state} people={people} />
      <Trouble state={state} />
      {mayWrite && <Toolbar editor={editor} acts={acts} />}
      <input
        ref={file}
        type="file"
        accept="image/*"
        multiple
        hidden
        data-testid="picture-file"
        aria-label={t('toolbar.picture')}
        onChange={(event) => {
          const { files } = event.target;
          insertPictures(editor, detail.id, [...(files ?? [])], t('pictureFailed'));
          event.target.value = '';
        }}
      />
      <div className="document-body">
        <EditorContent className="document-paper" editor={editor} />
        <Comments doc={doc} editor={editor} mayWrite={mayWrite} />
      </div>
      {opened === 'link' && <LinkDialog editor={editor} onClose={close} />}
      {opened === 'task' && <TaskDialog editor={editor} onClose={close} />}
      {opened === 'comment' && <CommentDialog editor={editor} doc={doc} onClose={close} />}
    </>
  );
}

/** Inserts a picture; behind what is selected if that is a picture, which it would replace otherwise. */
function insertPicture(editor: Editor, attrs: { fileId: string; alt: string }): void {
  const { selection } = editor.state;
  const content = { type: 'picture', attrs };
  const chain = editor.chain().focus();
  if (selection instanceof NodeSelection) chain.insertContentAt(selection.to, content).run();
  else chain.insertContent(content).run();
}

/** Stores pictures and inserts them where the cursor is. */
function insertPictures(editor: Editor, id: string, files: readonly File[], failed: string): void {
  for (const file of files) {
    if (!file.type.startsWith('image/')) continue;
    const insert = async (): Promise<void> => {
      try {
        const fileId = await addPicture(id, file);
        insertPicture(editor, { fileId, alt: file.name.slice(0, 300) });
      } catch {
        toast('error', () => failed);
      }
    };
    void insert();
  }
}

type EditorOptions = Pick<ReturnType<typeof useConnection>, 'doc' | 'people'> & { mayWrite: boolean };

function useDocumentEditor(id: string, { doc, people, mayWrite }: EditorOptions): Editor {
  const t = useTexts('documents');
  const pictures = useMemo(() => picturesOf(id), [id]);
  const failed = t('pictureFailed');
  const editor: Editor = useEditor(
    {
      extensions: extensionsOf(doc, {
        load: pictures.picture,
        missing: () => t('pictureMissing'),
        people,
        words: {
          done: (text) => t('task.done', { text }),
          note: (person, due) => [person, due && t('task.dueOn', { due })].filter(Boolean).join(' · '),
        },
      }),
      // Its style sheet is in editor.css.
      injectCSS: false,
      editable: mayWrite,
      editorProps: {
        attributes: {
          class: 'document-text',
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': t('text'),
          'data-testid': 'document-text',
        },
        handlePaste: (_, event) => {
          const files = [...(event.clipboardData?.files ?? [])];
          // Office programs add a picture of the text that they copy.
          if (files.length === 0 || event.clipboardData?.types.includes('text/html')) return false;
          if (editor) insertPictures(editor, id, files, failed);
          return true;
        },
        handleDrop: (_, event, __, isMoved) => {
          const files = [...(event.dataTransfer?.files ?? [])];
          if (isMoved || files.length === 0) return false;
          event.preventDefault();
          if (editor) insertPictures(editor, id, files, failed);
          return true;
        },
      },
    },
    [doc, id],
  );
  useEffect(() => {
    if (editor.isEditable !== mayWrite) editor.setEditable(mayWrite);
  }, [editor, mayWrite]);
  return editor;
}

/** Why the document cannot be written, or is not stored. */
function Trouble({ state: { phase, right, error } }: { state: ConnectionState }) {
  const t = useTexts('documents');
  const language = useLanguage();
  if (error !== null)
    return (
      <p className="document-trouble" role="alert" data-testid="document-error">
        {errorMessage(error, language)}
      </p>
    );
  if (phase === 'lost')
    return (
      <p className="document-trouble" role="status" data-testid="document-lost">
        {t('state.lostHint')}
      </p>
    );
  return phase === 'open' && right === 'read' ? (
    <p className="document-note" data-testid="document-read-only">
      {t('readOnly')}
    </p>
  ) : null;
}
