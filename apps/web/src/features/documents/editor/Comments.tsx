import { COMMENTS, readComments, type DocumentComment } from '@rmeet/documents';
import type { Editor } from '@tiptap/core';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { Doc } from 'yjs';
import { session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';

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

/** The comments beside the text; nothing without any. */
export function Comments({ doc, editor, mayWrite }: { doc: Doc; editor: Editor; mayWrite: boolean }) {
  const t = useTexts('documents');
  const comments = useComments(doc);
  const own = session.user?.id;
  if (comments.length === 0) return null;
  const show = (id: string) => {
    const place = editor.view.dom.querySelector(`[data-comment="${id}"]`);
    place?.scrollIntoView({ block: 'center' });
  };
  const resolve = (comment: DocumentComment) =>
    doc.getMap(COMMENTS).set(comment.id, { ...comment, resolved: !comment.resolved });
  return (
    <aside className="document-comments" aria-label={t('comments.title')} data-testid="comments">
      <h2>{t('comments.title')}</h2>
      <ul>
        {comments.map((comment) => (
          <li key={comment.id} data-resolved={comment.resolved} data-testid="comment">
            <button type="button" className="document-comment-text" onClick={() => show(comment.id)}>
              <b>{comment.name}</b>
              <small>{formatTime(comment.at)}</small>
              <span>{comment.text}</span>
            </button>
            {mayWrite && (
              <p>
                <Button kind="quiet" data-testid="comment-resolve" onClick={() => resolve(comment)}>
                  {t(comment.resolved ? 'comments.reopen' : 'comments.resolve')}
                </Button>
                {comment.userId === own && (
                  <Button
                    kind="quiet"
                    data-testid="comment-remove"
                    onClick={() => doc.getMap(COMMENTS).delete(comment.id)}
                  >
                    {t('comments.remove')}
                  </Button>
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
    </aside>
  );
}
