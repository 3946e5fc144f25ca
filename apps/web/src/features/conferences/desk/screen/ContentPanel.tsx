import { useState } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { useDesk, useDeskPart, useRights, type PanelProps } from '../context.ts';
import type { TerminalRow } from '../model/rows.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { ActionButton } from '../components/ActionButton.tsx';
import { useNames } from '../side/useNames.ts';
import { useT } from '../texts.tsx';
import { CommandResponses } from './CommandResponses.tsx';
import { Panel } from './Panel.tsx';

/** Who shares, who may share, and whom to ask to share. */
export function ContentPanel({ anchor, onClose }: PanelProps) {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const nameOf = useNames();
  const rows = useDeskPart((snapshot) => snapshot.rows);
  const lockId = useDeskPart(({ state }) => state.control.contentLockId);
  const sharing = rows.filter((row) => row.sharing);
  const held = rows.filter((row) => row.contentOff && !row.sharing);
  return (
    <Panel title={t('screen.content.title')} anchor={anchor} width={460} onClose={onClose} testId="desk-content-panel">
      <section className="desk-sheet-part" aria-label={t('screen.content.now')}>
        <h3>{t('screen.content.now')}</h3>
        {sharing.length === 0 && (
          <p className="desk-sheet-hint" data-testid="desk-content-nobody">
            {t('screen.content.nobody')}
          </p>
        )}
        <ul>
          {sharing.map((row) => (
            <Sharer key={row.termId} row={row} />
          ))}
        </ul>
      </section>
      {lockId !== null && (
        <p className="desk-content-locked" role="status" data-testid="desk-content-locked">
          <Icon name="lock" size={16} />
          <span>{t('screen.content.locked', { name: nameOf(lockId) ?? t('log.somebody') })}</span>
          <Button
            data-testid="desk-content-unlock"
            onClick={() => void desk.act({ verb: 'contentLock', termId: null })}
          >
            {t('screen.menu.unlock')}
          </Button>
        </p>
      )}
      {held.length > 0 && (
        <section className="desk-sheet-part" aria-label={t('screen.content.held')}>
          <h3>{t('screen.content.held')}</h3>
          <ul>
            {held.map((row) => (
              <Sharer key={row.termId} row={row} />
            ))}
          </ul>
        </section>
      )}
      {(rights.may('dualStream') || rights.may('contentLock')) && <AskForm rows={rows} />}
      <CommandResponses verbs={['contentLock', 'dualStream']} />
    </Panel>
  );
}

/** A terminal that shares, or must not share, and the actions for it. */
function Sharer({ row }: { row: TerminalRow }) {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const { termId, name, contentOff, contentLocked, sharing } = row;
  return (
    <li data-testid={`desk-content-${termId}`}>
      <span className="desk-name" title={name}>
        {name}
      </span>
      {rights.may('contentLock') && sharing && (
        <ActionButton
          icon={contentLocked ? 'unlock' : 'lock'}
          size={16}
          label={t(contentLocked ? 'screen.menu.unlock' : 'screen.content.lock')}
          className="desk-act-small"
          cannot={rights.cannot('contentLock', row)}
          data-testid={`desk-content-lock-${termId}`}
          onAction={() => void desk.act({ verb: 'contentLock', termId: contentLocked ? null : termId })}
        />
      )}
      {rights.may('dualStream') && (
        <ActionButton
          icon={contentOff ? 'share' : 'shareStop'}
          size={16}
          label={t(contentOff ? 'screen.content.release' : 'screen.content.hold')}
          className="desk-act-small"
          cannot={rights.cannot('dualStream', row)}
          data-testid={`desk-content-stream-${termId}`}
          onAction={() => void desk.act({ verb: 'dualStream', termId, open: contentOff })}
        />
      )}
    </li>
  );
}

/** Chooses one terminal: to ask it to share, or to let only it share. */
function AskForm({ rows }: { rows: readonly TerminalRow[] }) {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const [chosen, setChosen] = useState('');
  const row = rows.find(({ termId }) => termId === chosen) ?? rows[0] ?? null;
  if (row === null) return null;
  const { termId } = row;
  return (
    <section className="desk-sheet-part" aria-label={t('screen.content.one')}>
      <h3>{t('screen.content.one')}</h3>
      <div className="desk-content-one">
        <select
          className="select"
          value={termId}
          aria-label={t('screen.content.who')}
          data-testid="desk-content-who"
          onChange={(event) => setChosen(event.target.value)}
        >
          {rows.map((each) => (
            <option key={each.termId} value={each.termId}>
              {each.name}
            </option>
          ))}
        </select>
        {rights.may('dualStream') && (
          <ActionButton
            icon="share"
            size={16}
            label={t('screen.menu.ask')}
            cannot={rights.cannot('dualStream', row)}
            data-testid="desk-content-ask"
            onAction={() => void desk.act({ verb: 'dualStream', termId, open: true })}
          />
        )}
        {rights.may('contentLock') && (
          <ActionButton
            icon="lock"
            size={16}
            label={t('screen.content.lock')}
            cannot={rights.cannot('contentLock', row)}
            idle={row.contentLocked ? t('screen.content.isLocked') : null}
            data-testid="desk-content-lock"
            onAction={() => void desk.act({ verb: 'contentLock', termId })}
          />
        )}
      </div>
    </section>
  );
}
