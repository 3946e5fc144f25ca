import { timeLeft } from '@rmeet/conference';
import { useState } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { useDesk, useDeskPart } from '../context.ts';
import { useNames } from '../side/useNames.ts';
import { durationText } from '../model/duration.ts';
import { useT } from '../texts.tsx';
import { useKeptFocus } from '../../shared/useKeptFocus.ts';
import { useServerNow } from './useServerNow.ts';

const PRESETS = [1, 2, 3, 5] as const;
/** Update interval of the time shown, ms. */
const TICK = 250;
const SECOND = 1_000;

/** Speaking time: for one terminal, or for all. */
export function TimerPart({ may }: { may: boolean }) {
  const timer = useDeskPart(({ state }) => state.control.timer);
  useKeptFocus(timer === null ? 'desk-timer-1' : timer.endsAt === null ? 'desk-timer-resume' : 'desk-timer-pause');
  if (timer === null) return may ? <Begin /> : <p className="desk-nothing">–</p>;
  return <Running may={may} />;
}

function Begin() {
  const t = useT();
  const desk = useDesk();
  const terminals = useDeskPart(({ state }) => state.terminals);
  const speakerId = useDeskPart(({ state }) => state.control.speakerId);
  const [chosen, setChosen] = useState<string | null>(null);
  const [own, setOwn] = useState('');
  const termId = chosen ?? speakerId ?? '';
  const start = (minutes: number) =>
    void desk.act({ verb: 'timer', termId: termId === '' ? null : termId, seconds: Math.round(minutes * 60) });
  return (
    <form
      className="desk-panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (Number(own) > 0) start(Number(own));
      }}
    >
      <div className="desk-panel-line">
        <span>{t('proceed.timer.for')}</span>
        <Select
          label={t('proceed.timer.for')}
          value={termId}
          data-testid="desk-timer-for"
          onChange={setChosen}
          options={[
            { value: '', label: t('proceed.timer.everybody') },
            ...terminals.map((each) => ({ value: each.termId, label: each.name })),
          ]}
        />
      </div>
      <div className="desk-panel-acts">
        {PRESETS.map((minutes) => (
          <Button key={minutes} data-testid={`desk-timer-${minutes}`} onClick={() => start(minutes)}>
            {t('proceed.timer.start', { minutes })}
          </Button>
        ))}
      </div>
      <div className="desk-panel-line">
        <input
          type="number"
          min={0.1}
          max={120}
          step="any"
          value={own}
          placeholder={t('proceed.timer.own')}
          aria-label={t('proceed.timer.own')}
          data-testid="desk-timer-own"
          onChange={(event) => setOwn(event.target.value)}
        />
        <Button type="submit" disabled={!(Number(own) > 0)}>
          {t('proceed.timer.begin')}
        </Button>
      </div>
    </form>
  );
}

function Running({ may }: { may: boolean }) {
  const t = useT();
  const desk = useDesk();
  const nameOf = useNames();
  const timer = useDeskPart(({ state }) => state.control.timer);
  const now = useServerNow(TICK);
  if (timer === null) return null;
  const left = timeLeft(timer, now);
  const name = timer.termId === null ? t('proceed.timer.everybody') : (nameOf(timer.termId) ?? t('log.somebody'));
  return (
    <div className="desk-panel-form">
      <p className={left < 0 ? 'desk-timer desk-timer-over' : 'desk-timer'} role="timer" data-testid="desk-timer">
        <small>{t('proceed.timer.of', { name })}</small>
        <strong>
          {left < 0
            ? t('proceed.timer.over', { time: durationText(-left) })
            : t('proceed.timer.left', { time: durationText(Math.ceil(left / SECOND) * SECOND) })}
        </strong>
      </p>
      {may && (
        <div className="desk-panel-acts">
          {timer.endsAt === null ? (
            <Button
              data-testid="desk-timer-resume"
              onClick={() => void desk.act({ verb: 'timerChange', action: 'resume', seconds: 0 })}
            >
              {t('proceed.timer.resume')}
            </Button>
          ) : (
            <Button
              data-testid="desk-timer-pause"
              onClick={() => void desk.act({ verb: 'timerChange', action: 'pause', seconds: 0 })}
            >
              {t('proceed.timer.pause')}
            </Button>
          )}
          <Button
            data-testid="desk-timer-add"
            onClick={() => void desk.act({ verb: 'timerChange', action: 'add', seconds: 30 })}
          >
            {t('proceed.timer.add')}
          </Button>
          <Button data-testid="desk-timer-stop" onClick={() => void desk.act({ verb: 'timerStop' })}>
            {t('proceed.timer.stop')}
          </Button>
        </div>
      )}
    </div>
  );
}
