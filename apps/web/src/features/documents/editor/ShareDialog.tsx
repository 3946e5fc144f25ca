import type { DocumentDetail } from '@rmeet/contract';
import { Select } from 'antd';
import { useId } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { PersonSearch } from '../../../ui/grants/PersonSearch.tsx';
import { PageDialog } from '../../../ui/PageDialog.tsx';
import { useDocumentChange } from '../queries.ts';

type Member = DocumentDetail['members'][number];

/** Who may read or write a document; each change holds at once. */
export function ShareDialog({ detail, onClose }: { detail: DocumentDetail; onClose: () => void }) {
  const t = useTexts('documents');
  const label = useId();
  const { id, members, owner } = detail;
  const share = useDocumentChange((next: readonly Member[]) =>
    api.documents.share({
      params: { id },
      body: { members: next.map(({ userId, right }) => ({ userId, right })) },
    }),
  );
  const without = new Set([owner.userId, ...members.map(({ userId }) => userId)]);
  return (
    <PageDialog title={t('share.title')} testId="share-dialog" onClose={onClose}>
      <p className="document-lead">{t(detail.meeting ? 'share.leadMeeting' : 'share.lead', { name: owner.name })}</p>
      <h3 id={label}>{t('share.people')}</h3>
      <PersonSearch
        labelledBy={label}
        without={without}
        disabled={share.isPending}
        onPick={({ userId, name }) => share.mutate([...members, { userId, name, right: 'write' }])}
      />
      {members.length === 0 && <p className="document-none">{t('share.none')}</p>}
      <ul className="document-people">
        {members.map((member) => (
          <li key={member.userId} data-testid="share-member">
            <span>{member.name}</span>
            <Select
              value={member.right}
              aria-label={t('share.rightOf', { name: member.name })}
              disabled={share.isPending}
              getPopupContainer={(select: HTMLElement) => select.closest('dialog') ?? document.body}
              options={(['read', 'write'] as const).map((value) => ({ value, label: t(`right.${value}`) }))}
              data-testid="share-right"
              onChange={(right: Member['right']) =>
                share.mutate(members.map((one) => (one === member ? { ...one, right } : one)))
              }
            />
            <Button
              kind="quiet"
              busy={share.isPending}
              aria-label={t('share.removeOf', { name: member.name })}
              data-testid="share-remove"
              onClick={() => share.mutate(members.filter((one) => one !== member))}
            >
              {t('share.remove')}
            </Button>
          </li>
        ))}
      </ul>
    </PageDialog>
  );
}
