import type { LoggedCommand } from '@rmeet/contract';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import dayjs from 'dayjs';
import { useDesk, useDeskPart, useRights } from '../context.ts';
import { answersTo, interruptionOf, isByPeople, lateOf } from '../model/log.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';
import { describeLogged, failureText } from '../describe.ts';
import type { NameOf } from '../model/names.ts';
import { useNames } from './useNames.ts';

const NOTHING_DONE: LoggedCommand[] = [];

/** Commands, who gave them, and how the terminals acknowledged; newest first. */
export function CommandLog() {
  const t = useT();
  const [withMoves, setWithMoves] = useState(false);
  const commands = useDeferredValue(
    useDeskPart(({ state }) => state.commands),
    NOTHING_DONE,
  );
  const seenAt = useDeskPart((snapshot) => snapshot.seenAt);
  const now = useDeskPart((snapshot) => snapshot.now);
  const terminals = useDeskPart(({ state }) => state.terminals);
  const nameOf = useNames();
  const isInside = useMemo(() => {
    const inside = new Set(terminals.map(({ termId }) => termId));
    return (termId: string) => inside.has(termId);
  }, [terminals]);
  const shown = withMoves ? commands : commands.filter(isByPeople);
  return (
    <>
      <label className="desk-log-filter">
        <input type="checkbox" checked={withMoves} onChange={(event) => setWithMoves(event.target.checked)} />
        {t('log.withMoves')}
      </label>
      {shown.length === 0 && <p className="desk-nothing">{t('log.empty')}</p>}
      <ol className="desk-log">
        {shown.map((command) => (
          <Entry
            key={command.commandId}
            command={command}
            late={lateOf(command, now - (seenAt.get(command.commandId) ?? now), isInside).join(' ')}
            nameOf={nameOf}
          />
        ))}
      </ol>
    </>
  );
}

interface EntryProps {
  command: LoggedCommand;
  /**
   * termIds of late terminals as one string: the only thing about a command that changes while the command does not.
   */
  late: string;
  nameOf: NameOf;
}

const Entry = memo(function Entry({ command, late, nameOf }: EntryProps) {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const { commandId, at, canUndo, undoneBy } = command;
  const { failures } = answersTo(command);
  const { median, p95, worst } = interruptionOf(command.affected, command.acknowledgements);
  const owing = late === '' ? [] : late.split(' ');
  const names = (termIds: readonly string[]) =>
    termIds
      .slice(0, 3)
      .map((termId) => nameOf(termId) ?? t('log.somebody'))
      .join(t('log.comma'));
  return (
    <li
      className={undoneBy === null ? '' : 'desk-log-undone'}
      data-testid={`desk-log-${command.verb}`}
      data-command={commandId}
    >
      <p>
        <time dateTime={at}>{dayjs(at).format('HH:mm:ss')}</time>
        <strong>{describeLogged(command, nameOf, t)}</strong>
        {canUndo && undoneBy === null && rights.may('undo') && (
          <ActionButton
            icon="undo"
            size={16}
            label={t('log.undo')}
            className="desk-act-small"
            data-testid="desk-log-undo"
            onAction={() => void desk.act({ verb: 'undo', commandId })}
          />
        )}
      </p>
      <ResponseLine command={command} />
      {worst !== null && (
        <p className="desk-log-more" data-testid="desk-log-gaps">
          {t('topology.gaps', { median: median ?? 0, p95: p95 ?? 0, worst })}
        </p>
      )}
      {owing.length > 0 && (
        <p className="desk-log-late">{t('log.late', { names: names(owing), count: owing.length })}</p>
      )}
      {failures.map(({ termId, failed }) => (
        <p key={termId} className="desk-log-failed">
          {t('log.failed', {
            name: termId.startsWith('@') ? t('log.engineName') : (nameOf(termId) ?? t('log.somebody')),
            why: failureText(failed, t),
          })}
        </p>
      ))}
    </li>
  );
});

/** Who sent the command, and how many terminals have acknowledged it. */
function ResponseLine({ command }: { command: LoggedCommand }) {
  const t = useT();
  const { by, undoneBy } = command;
  const { affected, answered, slowest, engine } = answersTo(command);
  return (
    <p className="desk-log-more">
      <span>{by.kind === 'server' ? t('log.server') : t(`log.by.${by.kind}`, { name: by.name })}</span>
      {undoneBy !== null && <span>{t('log.undone')}</span>}
      {affected > 0 && (
        <span className={answered === affected ? 'desk-log-ok' : ''} data-testid="desk-log-acks">
          {slowest === null
            ? t('log.answered', { answered, affected })
            : t('log.answeredWithin', { answered, affected, slowest })}
        </span>
      )}
      {engine !== null && <span>{t('log.engine', { engine })}</span>}
    </p>
  );
}
