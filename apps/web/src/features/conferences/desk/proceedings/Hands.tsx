import { useState } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { useDesk, useDeskPart } from '../context.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { durationText } from '../model/duration.ts';
import { useT } from '../texts.tsx';
import { useServerNow } from './useServerNow.ts';

/** Minutes to choose from; 0 means no limit. */
const MINUTES = [0, 1, 2, 3, 5, 10] as const;

const SECOND = 1_000;

/** Raised hands, the earliest first. */
export function Hands({ may }: { may: boolean }) {
  const t = useT();
  const desk = useDesk();
  const terminals = useDeskPart(({ state }) => state.terminals);
  const [minutes, setMinutes] = useState(0);
  const now = useServerNow(SECOND);
  const raised = terminals
    .flatMap((each) => (each.handRaisedAt === null ? [] : [{ ...each, since: each.handRaisedAt }]))
    .toSorted((a, b) => a.since.localeCompare(b.since));
  if (raised.length === 0) return <p className="desk-nothing">{t('proceed.hands.empty')}</p>;
  return (
    <>
      <ol className="desk-people" data-testid="desk-hands">
        {raised.map(({ termId, name, since }) => (
          <li key={termId} data-testid={`desk-hand-${termId}`}>
            <div className="desk-person">
              <strong title={name}>{name}</strong>
              <small>
                <time dateTime={since}>
                  {t('proceed.hands.waits', { time: durationText(now - Date.parse(since)) })}
                </time>
              </small>
            </div>
            {may && <HandActions termId={termId} name={name} minutes={minutes} />}
          </li>
        ))}
      </ol>
      {may && (
        <div className="desk-panel-line">
          <Select
            label={t('proceed.hands.minutes')}
            value={String(minutes)}
            data-testid="desk-floor-minutes"
            onChange={(value) => setMinutes(Number(value))}
            options={MINUTES.map((value) => ({
              value: String(value),
              label: value === 0 ? t('proceed.hands.unlimited') : t('proceed.timer.start', { minutes: value }),
            }))}
          />
          <Button
            kind="quiet"
            data-testid="desk-lower-all"
            onClick={() => void desk.act({ verb: 'lowerHands', termIds: raised.map(({ termId }) => termId) })}
          >
            {t('proceed.hands.lowerAll')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Buttons that give the floor or lower the hand. */
function HandActions({ termId, name, minutes }: { termId: string; name: string; minutes: number }) {
  const t = useT();
  const desk = useDesk();
  const floorLabel = minutes === 0 ? t('proceed.hands.floor') : t('proceed.hands.floorFor', { minutes });
  return (
    <div className="desk-person-acts">
      <ActionButton
        icon="mic"
        size={18}
        className="desk-act-yes"
        label={floorLabel}
        aria-label={`${floorLabel}: ${name}`}
        data-testid={`desk-floor-${termId}`}
        onAction={() => void desk.act({ verb: 'giveFloor', termId, seconds: minutes === 0 ? null : minutes * 60 })}
      />
      <ActionButton
        bare
        icon="close"
        size={18}
        label={t('proceed.hands.lower', { name })}
        data-testid={`desk-lower-${termId}`}
        onAction={() => void desk.act({ verb: 'lowerHands', termIds: [termId] })}
      />
    </div>
  );
}
