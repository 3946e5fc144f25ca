import { DOCUMENT_LIMITS, isSafeLink } from '@rmeet/documents';
import type { Editor } from '@tiptap/core';
import { DatePicker, Input } from 'antd';
import dayjs from 'dayjs';
import { useId, useState } from 'react';
import type { Doc } from 'yjs';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { PersonSearch } from '../../../ui/grants/PersonSearch.tsx';
import { PageDialog } from '../../../ui/PageDialog.tsx';
import { addComment } from './openComments.ts';

interface DialogProps {
  editor: Editor;
  onClose: () => void;
}

/** The address of a link; an empty one removes it. */
export function LinkDialog({ editor, onClose }: DialogProps) {
  const t = useTexts('documents');
  const [href, setHref] = useState(() => String(editor.getAttributes('link')['href'] ?? 'https://'));
  const [isWrong, setWrong] = useState(false);
  const submit = () => {
    const chain = editor.chain().focus().extendMarkRange('link');
    if (href.trim() === '' || href.trim() === 'https://') chain.unsetLink().run();
    else if (!isSafeLink(href.trim())) return setWrong(true);
    else if (editor.state.selection.empty && !editor.isActive('link'))
      chain
        .insertContent({ type: 'text', text: href.trim(), marks: [{ type: 'link', attrs: { href: href.trim() } }] })
        .run();
    else chain.setLink({ href: href.trim() }).run();
    onClose();
  };
  return (
    <PageDialog title={t('toolbar.link')} testId="link-dialog" onClose={onClose}>
      <FormField label={t('link.address')} hint={t('link.hint')} error={isWrong ? t('link.wrong') : undefined}>
        {(control) => (
          <Input
            {...control}
            value={href}
            maxLength={2_000}
            autoFocus
            data-testid="link-address"
            onChange={(event) => setHref(event.target.value)}
            onPressEnter={submit}
          />
        )}
      </FormField>
      <div className="document-buttons">
        <Button kind="primary" data-testid="link-set" onClick={submit}>
          {t('apply')}
        </Button>
      </div>
    </PageDialog>
  );
}

/** Person and date of the task with the cursor. */
export function TaskDialog({ editor, onClose }: DialogProps) {
  const t = useTexts('documents');
  const label = useId();
  const attrs = editor.getAttributes('taskItem');
  const [person, setPerson] = useState({
    userId: String(attrs['personId'] ?? ''),
    name: String(attrs['person'] ?? ''),
  });
  const [due, setDue] = useState(String(attrs['due'] ?? ''));
  const submit = () => {
    editor.chain().focus().updateAttributes('taskItem', { personId: person.userId, person: person.name, due }).run();
    onClose();
  };
  return (
    <PageDialog title={t('toolbar.taskDetail')} testId="task-dialog" onClose={onClose}>
      <div className="form-field">
        <p id={label}>{t('task.person')}</p>
        <PersonSearch labelledBy={label} without={new Set()} disabled={false} onPick={setPerson} />
        {person.name !== '' && (
          <p className="document-person" data-testid="task-person">
            <span>{person.name}</span>
            <Button kind="quiet" data-testid="task-person-remove" onClick={() => setPerson({ userId: '', name: '' })}>
              {t('share.remove')}
            </Button>
          </p>
        )}
      </div>
      <FormField label={t('task.due')}>
        {(control) => (
          <DatePicker
            {...control}
            value={due === '' ? null : dayjs(due)}
            format="YYYY-MM-DD"
            getPopupContainer={(element) => element.closest('dialog') ?? document.body}
            data-testid="task-due"
            onChange={(day) => setDue(day ? dayjs(day).format('YYYY-MM-DD') : '')}
          />
        )}
      </FormField>
      <div className="document-buttons">
        <Button kind="primary" data-testid="task-set" onClick={submit}>
          {t('apply')}
        </Button>
      </div>
    </PageDialog>
  );
}

/** A comment on the selected text. */
export function CommentDialog({ editor, doc, onClose }: DialogProps & { doc: Doc }) {
  const t = useTexts('documents');
  const [text, setText] = useState('');
  const submit = () => {
    if (text.trim() === '') return;
    const id = addComment(doc, { text: text.trim() });
    editor.chain().focus().setMark('comment', { id }).run();
    onClose();
  };
  return (
    <PageDialog title={t('toolbar.comment')} testId="comment-dialog" onClose={onClose}>
      <FormField label={t('comments.text')} required>
        {(control) => (
          <Input.TextArea
            {...control}
            value={text}
            maxLength={DOCUMENT_LIMITS.comment}
            autoSize={{ minRows: 3, maxRows: 8 }}
            autoFocus
            data-testid="comment-text"
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </FormField>
      <div className="document-buttons">
        <Button kind="primary" data-testid="comment-add" onClick={submit}>
          {t('comments.add')}
        </Button>
      </div>
    </PageDialog>
  );
}
