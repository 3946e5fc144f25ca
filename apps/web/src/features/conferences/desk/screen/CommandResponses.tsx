import { useDeskPart } from '../context.ts';
import { answersTo } from '../model/log.ts';
import { useT } from '../texts.tsx';

/** How the newest command of these verbs was acknowledged, as in its row of the log. */
export function CommandResponses({ verbs }: { verbs: readonly string[] }) {
  const t = useT();
  const newest = useDeskPart(({ state }) => state.commands.find(({ verb }) => verbs.includes(verb)) ?? null);
  if (newest === null) return null;
  const { affected, answered, slowest, failures } = answersTo(newest);
  if (affected === 0) return null;
  return (
    <span
      className={
        failures.length > 0
          ? 'desk-answers desk-bad'
          : answered === affected
            ? 'desk-answers desk-fine'
            : 'desk-answers'
      }
      data-testid="desk-answers"
    >
      {slowest === null
        ? t('log.answered', { answered, affected })
        : t('log.answeredWithin', { answered, affected, slowest })}
    </span>
  );
}
