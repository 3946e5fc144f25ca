import { Input } from 'antd';
import { useId, useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { PersonSearch, type Person } from '../../../ui/grants/PersonSearch.tsx';
import { PageDialog } from '../../../ui/PageDialog.tsx';
import { useDocumentChange } from '../queries.ts';

/** Sends the document as PDF by mail. */
export function MailDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts('documents');
  const label = useId();
  const [people, setPeople] = useState<readonly Person[]>([]);
  const [message, setMessage] = useState('');
  const send = useDocumentChange(() =>
    api.documents.mail({ params: { id }, body: { userIds: people.map(({ userId }) => userId), message } }),
  );
  const submit = () =>
    send.mutate(undefined, {
      onSuccess: ({ sent, withoutAddress }) => {
        toast('success', () => t('mail.sent', { count: sent }));
        if (withoutAddress.length > 0) toast('warning', () => t('mail.without', { names: withoutAddress.join(', ') }));
        onClose();
      },
    });
  return (
    <PageDialog title={t('mail.title')} testId="mail-dialog" onClose={onClose}>
      <p className="document-lead">{t('mail.lead')}</p>
      <h3 id={label}>{t('mail.to')}</h3>
      <PersonSearch
        labelledBy={label}
        without={new Set(people.map(({ userId }) => userId))}
        disabled={send.isPending}
        onPick={(person) => setPeople([...people, person])}
      />
      <Recipients people={people} onRemove={(person) => setPeople(people.filter((one) => one !== person))} />
      <FormField label={t('mail.message')}>
        {(control) => (
          <Input.TextArea
            {...control}
            value={message}
            maxLength={1_000}
            autoSize={{ minRows: 3, maxRows: 8 }}
            data-testid="mail-message"
            onChange={(event) => setMessage(event.target.value)}
          />
        )}
      </FormField>
      <div className="document-buttons">
        <Button
          kind="primary"
          busy={send.isPending}
          disabled={people.length === 0}
          data-testid="mail-send"
          onClick={submit}
        >
          {t('mail.send')}
        </Button>
      </div>
    </PageDialog>
  );
}

interface RecipientsProps {
  people: readonly Person[];
  onRemove: (person: Person) => void;
}

function Recipients({ people, onRemove }: RecipientsProps) {
  const t = useTexts('documents');
  return (
    <ul className="document-people">
      {people.map((person) => (
        <li key={person.userId} data-testid="mail-person">
          <span>{person.name}</span>
          <Button kind="quiet" aria-label={t('share.removeOf', { name: person.name })} onClick={() => onRemove(person)}>
            {t('share.remove')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
