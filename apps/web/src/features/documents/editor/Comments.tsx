import { COMMENTS, DOCUMENT_LIMITS, readComments, type DocumentComment } from '@rmeet/documents';
import type { Editor } from '@tiptap/core';
import { Input } from 'antd';
import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { Doc } from 'yjs';
import { session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { addComment, isKept, removeComment } from './openComments.ts';

/** The comments of a document, kept equal with it. */
function useComments(doc: Doc): DocumentComment[] {
  const kept = useRef<DocumentComment[] | null>(null);
  const subscribe = useCallback(
    (changed: () => void) => {
      const comments = doc.getMap(COMMENTS);
      const look = () => {
        kept.current = null;
        changed();
      };
      comments.observe(look);
      return () => comments.unobserve(look);
    },
    [doc],
  );
  return useSyncExternalStore(subscribe, () => (kept.current ??= readComments(doc)));
}

interface CommentsProps {
  doc: Doc;
  editor: Editor;
  mayWrite: boolean;
}

/** The comments beside the text, with their answers; nothing without any. */
export function Comments({ doc, editor, mayWrite }: CommentsProps) {
  const t = useTexts('documents');
  const comments = useComments(doc);
  const threads = comments.filter(({ to }) => to === undefined);
  if (threads.length === 0) return null;
  return (
    <aside className="document-comments" aria-label={t('comments.title')} data-testid="comments">
      <h2>{t('comments.title')}</h2>
      <ul>
        {threads.map((comment) => (
          <li key={comment.id} data-resolved={comment.resolved} data-testid="comment">
            <Thread
              comment={comment}
              answers={comments.filter(({ to }) => to === comment.id)}
              doc={doc}
              editor={editor}
              mayWrite={mayWrite}
            />
          </li>
        ))}
      </ul>
    </aside>
  );
}

interface ThreadProps extends CommentsProps {
  comment: DocumentComment;
  answers: readonly DocumentComment[];
}

/** A comment, what was answered, and what can be done with it. */
function Thread({ comment, answers, doc, editor, mayWrite }: ThreadProps) {
  const t = useTexts('documents');
  const [isAnswering, setAnswering] = useState(false);
  const { id, resolved } = comment;
  const show = () => editor.view.dom.querySelector(`[data-comment="${id}"]`)?.scrollIntoView({ block: 'center' });
  const resolve = () => doc.getMap(COMMENTS).set(id, { ...comment, resolved: !resolved });
  return (
    <>
      <button type="button" className="document-comment-text" title={t('comments.show')} onClick={show}>
        <Said comment={comment} />
      </button>
      {answers.length > 0 && (
        <ul className="document-answers">
          {answers.map((answer) => (
            <li key={answer.id} className="document-comment-text" data-testid="comment-answer">
              <Said comment={answer} />
            </li>
          ))}
        </ul>
      )}
      {mayWrite && !isAnswering && (
        <p className="document-comment-acts">
          <Button kind="quiet" data-testid="comment-answer-open" onClick={() => setAnswering(true)}>
            {t('comments.answer')}
          </Button>
          <Button kind="quiet" disabled={!isKept(comment)} data-testid="comment-resolve" onClick={resolve}>
            {t(resolved ? 'comments.reopen' : 'comments.resolve')}
          </Button>
          {comment.userId === session.user?.id && (
            <Button
              kind="quiet"
              disabled={!isKept(comment)}
              data-testid="comment-remove"
              onClick={() => removeComment(editor, doc, id)}
            >
              {t('comments.remove')}
            </Button>
          )}
        </p>
      )}
      {mayWrite && isAnswering && <Answer doc={doc} to={id} onClose={() => setAnswering(false)} />}
    </>
  );
}

function Said({ comment }: { comment: DocumentComment }) {
  const t = useTexts('documents');
  const { name, text } = comment;
  return (
    <>
      <b>{name}</b>
      <small>{isKept(comment) ? formatTime(comment.at) : t('comments.storing')}</small>
      <span>{text}</span>
    </>
  );
}

/** Writes an answer to a comment. */
function Answer({ doc, to, onClose }: { doc: Doc; to: string; onClose: () => void }) {
  const t = useTexts('documents');
  const common = useTexts('common');
  const [text, setText] = useState('');
  return (
    <form
      className="document-answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        addComment(doc, { text: text.trim(), to });
        onClose();
      }}
    >
      <Input.TextArea
        value={text}
        maxLength={DOCUMENT_LIMITS.comment}
        autoSize={{ minRows: 2, maxRows: 6 }}
        autoFocus
        aria-label={t('comments.answer')}
        placeholder={t('comments.answer')}
        data-testid="comment-answer-text"
        onChange={(event) => setText(event.target.value)}
      />
      <p className="document-comment-acts">
        <Button type="submit" kind="primary" disabled={text.trim() === ''} data-testid="comment-answer-add">
          {t('comments.answer')}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {common('cancel')}
        </Button>
      </p>
    </form>
  );
}
