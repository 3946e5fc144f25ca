import type { ApprovalRequest } from '@rmeet/contract';
import { Input } from 'antd';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { hostWords, reasonWords, roomWords, seriesWords, zonedWords } from './words.ts';

interface ApprovalDrawerProps {
  request: ApprovalRequest;
  open: boolean;
  isBusy: boolean;
  /** Opened to refuse: the reason field comes first. */
  refuses: boolean;
  onClose: () => void;
  onDecide: (approve: boolean, note: string) => void;
}

/** One meeting of the queue with all its details, and the decision with a note. */
export function ApprovalDrawer({ request, open, isBusy, refuses, onClose, onDecide }: ApprovalDrawerProps) {
  const t = useTexts('approvals');
  const common = useTexts('common');
  const [note, setNote] = useState('');
  const { state } = request;
  const isWaiting = state === 'waiting';
  return (
    <SideDrawer
      title={request.subject}
      open={open}
      onClose={onClose}
      testId="approval-drawer"
      footer={
        isWaiting ? (
          <>
            <Button kind="danger" disabled={isBusy} data-testid="decide-refuse" onClick={() => onDecide(false, note)}>
              {t('refuse')}
            </Button>
            <Button kind="primary" busy={isBusy} data-testid="decide-approve" onClick={() => onDecide(true, note)}>
              {t('approve')}
            </Button>
          </>
        ) : (
          <Button data-testid="approval-close" onClick={onClose}>
            {common('close')}
          </Button>
        )
      }
    >
      <Facts request={request} />
      {isWaiting && (
        <FormField label={t('note')} hint={t(request.series === null ? 'noteHint' : 'noteHintOfSeries')}>
          {(control) => (
            <Input.TextArea
              {...control}
              value={note}
              maxLength={500}
              autoFocus={refuses}
              autoSize={{ minRows: 2, maxRows: 6 }}
              data-testid="approval-note"
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </FormField>
      )}
    </SideDrawer>
  );
}

function Facts({ request }: { request: ApprovalRequest }) {
  const t = useTexts('approvals');
  const { agenda, type, numericId, people, rooms, resource, vip, state, askedAt, decidedAt, decidedBy, note, series } =
    request;
  const facts: [string, string][] = [
    [t('fact.state'), t(`state.${state}`)],
    [t('fact.reasons'), reasonWords(request, t)],
    [t('fact.host'), hostWords(request)],
    [t(series === null ? 'fact.time' : 'fact.firstTime'), zonedWords(request)],
    [t('fact.meetings'), seriesWords(request, t)],
    [t('fact.people'), t('people', { count: people })],
    [t('fact.type'), [t(`type.${type}`), ...(vip ? [t('vip')] : [])].join(t('comma'))],
    [t('fact.number'), numericId.replace(/(\d{3})(?=\d)/g, '$1 ')],
    [t('fact.rooms'), rooms.length > 0 ? roomWords(request, t) : ''],
    [t('fact.resource'), resource?.name ?? ''],
    [t('fact.agenda'), agenda],
    [t('fact.asked'), formatTime(askedAt)],
    [t('fact.decidedAt'), decidedBy === null ? '' : `${formatTime(decidedAt)} ${decidedBy.name}`],
    [t('fact.note'), note],
  ];
  return (
    <dl className="approval-details">
      {facts.map(
        ([name, value]) =>
          value !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
