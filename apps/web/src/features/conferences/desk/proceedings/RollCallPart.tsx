import type { RollCall } from '@rmeet/conference';
import { useState, type KeyboardEvent } from 'react';
import { copyText } from '../../../../lib/clipboard.ts';
import { saveText } from './saveText.ts';
import { useKeptFocus } from '../../shared/useKeptFocus.ts';
import { Button } from '../../../../ui/Button.tsx';
import { useDesk, useDeskPart, useView } from '../context.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';
import { rollCsv, rollText, tally } from '../model/roll-call.ts';

/** Calls people up on air one after the other and marks them. */
export function RollCallPart({ may }: { may: boolean }) {
  const t = useT();
  const desk = useDesk();
  const rollCall = useDeskPart(({ state }) => state.control.rollCall);
  const rows = useDeskPart((snapshot) => snapshot.rows);
  const selected = useView(({ selection }) => selection.ids);
  const start = (termIds: string[]) => void desk.act({ verb: 'rollCall', termIds });
  const isOver = rollCall === null || rollCall.endedAt !== null;
  return (
    <>
      {rollCall !== null && <Marks rollCall={rollCall} may={may} />}
      {isOver && may && (
        <div className="desk-panel-acts">
          <Button disabled={rows.length === 0} data-testid="desk-roll-start" onClick={() => start([])}>
            {t(rollCall === null ? 'proceed.roll.start' : 'proceed.roll.again')}
          </Button>
          {selected.size > 0 && (
            <Button onClick={() => start(rows.flatMap(({ termId }) => (selected.has(termId) ? [termId] : [])))}>
              {t('proceed.roll.startSelected', { count: selected.size })}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function Marks({ rollCall, may }: { rollCall: RollCall; may: boolean }) {
  const t = useT();
  const desk = useDesk();
  const { entries, currentId, endedAt } = rollCall;
  const counts = tally(rollCall);
  const current = entries.find(({ termId }) => termId === currentId);
  // After the last one, the mark buttons disappear.
  useKeptFocus(current === undefined ? (endedAt === null ? 'desk-roll-end' : 'desk-roll-start') : 'desk-roll-present');
  const mark = (termId: string, to: 'present' | 'absent' | null) =>
    void desk.act({ verb: 'rollMark', termId, mark: to });
  const keys = (event: KeyboardEvent, termId: string) => {
    const to =
      event.key === 'p' || event.key === 'P' ? 'present' : event.key === 'a' || event.key === 'A' ? 'absent' : null;
    if (to === null || !may) return;
    event.preventDefault();
    event.stopPropagation();
    mark(termId, to);
  };
  return (
    <div className="desk-panel-form" onKeyDown={(event) => event.stopPropagation()}>
      {endedAt === null && (
        <p className="desk-turn" role="status" data-testid="desk-roll-current">
          <small>{t('proceed.roll.called')}</small>
          <strong>{current?.name ?? t('proceed.roll.done')}</strong>
        </p>
      )}
      {current !== undefined && may && (
        <MarkButtons onMark={(to) => mark(current.termId, to)} onKeyDown={(event) => keys(event, current.termId)} />
      )}
      <p data-testid="desk-roll-counts">{t('proceed.roll.counts', counts)}</p>
      <ol className="desk-round">
        {entries.map(({ termId, name, mark: marked }) => (
          <li
            key={termId}
            className="desk-roll-entry"
            aria-current={termId === currentId ? 'true' : undefined}
            onKeyDown={(event) => keys(event, termId)}
          >
            <span title={name}>{name}</span>
            <small className={`desk-roll-${marked ?? 'none'}`}>{t(`proceed.roll.${marked ?? 'unmarked'}`)}</small>
            {may && <EntryActions entry={{ termId, name, mark: marked }} isOver={endedAt !== null} onMark={mark} />}
          </li>
        ))}
      </ol>
      <div className="desk-panel-acts">
        {endedAt === null && may && (
          <Button data-testid="desk-roll-end" onClick={() => void desk.act({ verb: 'rollCallEnd' })}>
            {t('proceed.roll.end')}
          </Button>
        )}
        <ExportButtons rollCall={rollCall} />
      </div>
    </div>
  );
}

type Mark = 'present' | 'absent';

/** Marks the terminal that is called up. */
function MarkButtons({ onMark, onKeyDown }: { onMark: (to: Mark) => void; onKeyDown: (event: KeyboardEvent) => void }) {
  const t = useT();
  return (
    <div className="desk-panel-acts" onKeyDown={onKeyDown}>
      <ActionButton
        icon="check"
        size={18}
        className="desk-act-yes"
        label={t('proceed.roll.present')}
        title={t('proceed.roll.keys')}
        data-testid="desk-roll-present"
        onAction={() => onMark('present')}
      />
      <ActionButton
        icon="close"
        size={18}
        label={t('proceed.roll.absent')}
        title={t('proceed.roll.keys')}
        data-testid="desk-roll-absent"
        onAction={() => onMark('absent')}
      />
    </div>
  );
}

interface EntryActionsProps {
  entry: RollCall['entries'][number];
  isOver: boolean;
  onMark: (termId: string, to: Mark | null) => void;
}

function EntryActions({ entry: { termId, name, mark: marked }, isOver, onMark: mark }: EntryActionsProps) {
  const t = useT();
  const desk = useDesk();
  return (
    <>
      {!isOver && (
        <ActionButton
          bare
          icon="call"
          size={16}
          label={t('proceed.roll.call', { name })}
          data-testid={`desk-roll-call-${termId}`}
          onAction={() => void desk.act({ verb: 'callUp', termId })}
        />
      )}
      <ActionButton
        bare
        icon="check"
        size={16}
        aria-pressed={marked === 'present'}
        label={t('proceed.roll.markPresent', { name })}
        onAction={() => mark(termId, marked === 'present' ? null : 'present')}
      />
      <ActionButton
        bare
        icon="close"
        size={16}
        aria-pressed={marked === 'absent'}
        label={t('proceed.roll.markAbsent', { name })}
        onAction={() => mark(termId, marked === 'absent' ? null : 'absent')}
      />
    </>
  );
}

/** Buttons to copy the result, or to save it as CSV. */
function ExportButtons({ rollCall }: { rollCall: RollCall }) {
  const t = useT();
  const subject = useDeskPart(({ state }) => state.subject);
  const [isCopied, setCopied] = useState(false);
  return (
    <>
      <Button
        kind="quiet"
        data-testid="desk-roll-copy"
        onClick={() => {
          void copyText(rollText(rollCall, (word) => t(`proceed.roll.${word}`)));
          setCopied(true);
        }}
      >
        {t(isCopied ? 'proceed.roll.copied' : 'proceed.roll.copy')}
      </Button>
      <Button
        kind="quiet"
        data-testid="desk-roll-csv"
        onClick={() =>
          saveText(
            `${subject}.csv`,
            rollCsv(rollCall, (word) => t(`proceed.roll.${word}`)),
          )
        }
      >
        {t('proceed.roll.csv')}
      </Button>
    </>
  );
}
