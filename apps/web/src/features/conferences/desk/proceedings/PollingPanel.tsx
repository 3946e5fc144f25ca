import { controlOrder, DEFAULT_POLLING, POLLING_SECONDS, type Polling } from '@rmeet/conference';
import { useState } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { useDesk, useDeskPart, useView, type PanelProps } from '../context.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useNames } from '../side/useNames.ts';
import { useT } from '../texts.tsx';
import { turnAt } from '../model/turn.ts';
import { OrderList } from './OrderList.tsx';
import { PanelPopover } from './PanelPopover.tsx';
import { useKeptFocus } from '../../shared/useKeptFocus.ts';
import { useServerNow } from './useServerNow.ts';
import './proceedings.css';

/** Polling: started with one press, controlled while it runs. */
export function PollingPanel(props: PanelProps) {
  const t = useT();
  const polling = useDeskPart(({ state }) => state.control.polling);
  useKeptFocus(polling === null ? 'desk-polling-start' : 'desk-polling-pause');
  return (
    <PanelPopover title={t('proceed.polling.title')} testId="desk-polling-panel" {...props}>
      {polling === null ? <PollingForm /> : <Running polling={polling} />}
    </PanelPopover>
  );
}

/** Update interval of the progress bar, ms. */
const TICK = 250;

/** The last settings, kept as long as the page is open. */
let last = {
  termIds: [] as string[],
  seconds: String(DEFAULT_POLLING.seconds),
  onlyVideo: DEFAULT_POLLING.onlyVideo,
  roomsOnly: DEFAULT_POLLING.roomsOnly,
  lectureId: '',
};

/** The last settings, limited to terminals that are inside. */
function ofThose(settings: typeof last, here: ReadonlySet<string>): typeof last {
  const { termIds, lectureId } = settings;
  return {
    ...settings,
    termIds: termIds.filter((termId) => here.has(termId)),
    lectureId: here.has(lectureId) ? lectureId : '',
  };
}

const secondsOf = (typed: string): number =>
  Math.min(POLLING_SECONDS.max, Math.max(POLLING_SECONDS.min, Math.round(Number(typed)) || DEFAULT_POLLING.seconds));

// oxlint-disable-next-line max-lines-per-function -- One form; its fields share its state.
function PollingForm() {
  const t = useT();
  const desk = useDesk();
  const inside = useDeskPart(({ state }) => state.terminals);
  // The server would reject terminals that have left or were in another conference.
  const [form, setForm] = useState(() => ofThose(last, new Set(inside.map(({ termId }) => termId))));
  const [isChosen, setChosen] = useState(form.termIds.length > 0);
  const change = (part: Partial<typeof form>) => {
    last = { ...form, ...part };
    setForm(last);
  };
  const pollSeat = useDeskPart(
    ({ state }) => state.control.layout.seats.find(({ source }) => source === 'POLL')?.seat ?? null,
  );
  const start = () => {
    const settings = {
      termIds: isChosen ? form.termIds : [],
      seconds: secondsOf(form.seconds),
      onlyVideo: form.onlyVideo,
      roomsOnly: form.roomsOnly,
      isPaused: false,
    };
    void desk.act({ verb: 'polling', settings, lectureId: form.lectureId === '' ? null : form.lectureId });
  };
  return (
    <form
      className="desk-panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <Button
        kind="primary"
        type="submit"
        disabled={isChosen && form.termIds.length === 0}
        data-testid="desk-polling-start"
      >
        {t('proceed.polling.start')}
      </Button>
      {pollSeat !== null && <p className="desk-panel-hint">{t('proceed.polling.seat', { seat: pollSeat })}</p>}
      <fieldset>
        <legend>{t('proceed.polling.who')}</legend>
        <label>
          <input type="radio" name="polled" checked={!isChosen} onChange={() => setChosen(false)} />{' '}
          {t('proceed.polling.all')}
        </label>
        <label>
          <input
            type="radio"
            name="polled"
            checked={isChosen}
            data-testid="desk-polling-chosen"
            onChange={() => setChosen(true)}
          />{' '}
          {t('proceed.polling.chosen')}
        </label>
        {isChosen && <ChosenTerminals termIds={form.termIds} onChange={(termIds) => change({ termIds })} />}
      </fieldset>
      <SettingFields form={form} onChange={change} />
    </form>
  );
}

/** The chosen terminals in order, and controls to add more. */
function ChosenTerminals({ termIds, onChange }: { termIds: readonly string[]; onChange: (termIds: string[]) => void }) {
  const t = useT();
  const nameOf = useNames();
  const inside = useDeskPart(({ state }) => state.terminals);
  const selected = useView(({ selection }) => selection.ids);
  const options = inside
    .filter(({ termId }) => !termIds.includes(termId))
    .map(({ termId, name }) => ({ value: termId, label: name }));
  return (
    <>
      {termIds.length === 0 ? (
        <p className="desk-panel-hint">{t('proceed.polling.addFirst')}</p>
      ) : (
        <OrderList termIds={termIds} nameOf={nameOf} onChange={onChange} />
      )}
      <Select
        label={t('proceed.polling.add')}
        value=""
        data-testid="desk-polling-add"
        options={[{ value: '', label: t('proceed.polling.add') }, ...options]}
        onChange={(termId) => termId !== '' && onChange([...termIds, termId])}
      />
      {selected.size > 0 && (
        <Button
          kind="quiet"
          onClick={() => onChange(inside.flatMap(({ termId }) => (selected.has(termId) ? [termId] : [])))}
        >
          {t('proceed.polling.useSelected', { count: selected.size })}
        </Button>
      )}
    </>
  );
}

interface SettingFieldsProps {
  form: typeof last;
  onChange: (part: Partial<typeof last>) => void;
}

function SettingFields({ form, onChange }: SettingFieldsProps) {
  const t = useT();
  const inside = useDeskPart(({ state }) => state.terminals);
  return (
    <>
      <label className="desk-panel-line">
        {t('proceed.polling.seconds')}
        <input
          type="number"
          min={POLLING_SECONDS.min}
          max={POLLING_SECONDS.max}
          value={form.seconds}
          data-testid="desk-polling-seconds"
          onChange={(event) => onChange({ seconds: event.target.value })}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={form.onlyVideo}
          onChange={(event) => onChange({ onlyVideo: event.target.checked })}
        />{' '}
        {t('proceed.polling.onlyVideo')}
      </label>
      <label>
        <input
          type="checkbox"
          checked={form.roomsOnly}
          onChange={(event) => onChange({ roomsOnly: event.target.checked })}
        />{' '}
        {t('proceed.polling.roomsOnly')}
      </label>
      <div className="desk-panel-line">
        <span>{t('proceed.polling.lecturer')}</span>
        <Select
          label={t('proceed.polling.lecturer')}
          value={form.lectureId}
          data-testid="desk-polling-lecturer"
          options={[
            { value: '', label: t('proceed.polling.noLecturer') },
            ...inside.map(({ termId, name }) => ({ value: termId, label: name })),
          ]}
          onChange={(lectureId) => onChange({ lectureId })}
        />
      </div>
      {form.lectureId !== '' && <p className="desk-panel-hint">{t('proceed.polling.lectureHint')}</p>}
    </>
  );
}

interface PollingProps {
  polling: Polling;
}

function Running({ polling }: PollingProps) {
  const t = useT();
  const desk = useDesk();
  const nameOf = useNames();
  const control = useDeskPart(({ state }) => state.control);
  const name = (termId: string | null | undefined): string | null =>
    termId === null || termId === undefined ? null : (nameOf(termId) ?? t('log.somebody'));
  const order = polling.termIds.length > 0 ? polling.termIds : controlOrder(control);
  const turnId = polling.turn?.termId ?? null;
  const isLecture = control.mode === 'LECTURE';
  return (
    <div className="desk-panel-form">
      <p className="desk-turn" role="status" data-testid="desk-polling-turn" data-term={turnId ?? ''}>
        <small>{t('proceed.polling.turn')}</small>
        <strong>{name(turnId) ?? t('proceed.polling.nobody')}</strong>
        <small>{t('proceed.polling.follows', { name: name(polling.next) ?? t('proceed.polling.noNext') })}</small>
      </p>
      <TurnProgress polling={polling} />
      <TurnControls polling={polling} />
      <IntervalForm polling={polling} />
      {!isLecture && <BroadcastSwitch isOn={control.mode === 'POLLING'} />}
      {isLecture && (
        <p className="desk-panel-hint">{t('proceed.polling.lectureOf', { name: name(control.speakerId) ?? '' })}</p>
      )}
      <FilterFields polling={polling} />
      <h4>{t('proceed.polling.order')}</h4>
      <ol className="desk-round" data-testid="desk-polling-round">
        {order
          .filter((termId) => control.terminals[termId]?.present)
          .map((termId) => (
            <li key={termId}>
              <button
                type="button"
                className="desk-choice"
                aria-current={termId === turnId ? 'true' : undefined}
                title={name(termId) ?? ''}
                aria-label={t('proceed.polling.jump', { name: name(termId) ?? '' })}
                data-testid={`desk-polling-jump-${termId}`}
                onClick={() => void desk.act({ verb: 'pollingTurn', to: { termId } })}
              >
                <span>{name(termId)}</span>
              </button>
            </li>
          ))}
      </ol>
    </div>
  );
}

/** Buttons back, pause, forward and stop. */
function TurnControls({ polling }: PollingProps) {
  const t = useT();
  const desk = useDesk();
  return (
    <div className="desk-panel-acts">
      <ActionButton
        icon="previous"
        size={18}
        label={t('proceed.polling.back')}
        data-testid="desk-polling-back"
        onAction={() => void desk.act({ verb: 'pollingTurn', to: { step: 'previous' } })}
      />
      <ActionButton
        icon={polling.isPaused ? 'play' : 'pause'}
        size={18}
        label={t(polling.isPaused ? 'proceed.polling.resume' : 'proceed.polling.pause')}
        data-testid="desk-polling-pause"
        onAction={() => void desk.act({ verb: 'polling', settings: { isPaused: !polling.isPaused }, lectureId: null })}
      />
      <ActionButton
        icon="next"
        size={18}
        label={t('proceed.polling.forward')}
        data-testid="desk-polling-next"
        onAction={() => void desk.act({ verb: 'pollingTurn', to: { step: 'next' } })}
      />
      <Button
        kind="danger"
        data-testid="desk-polling-stop"
        onClick={() => void desk.act({ verb: 'polling', settings: null, lectureId: null })}
      >
        {t('proceed.polling.stop')}
      </Button>
    </div>
  );
}

/** Sets the length of a turn. */
function IntervalForm({ polling }: PollingProps) {
  const t = useT();
  const desk = useDesk();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <form
      className="desk-panel-line"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== null)
          void desk.act({ verb: 'pollingTime', seconds: secondsOf(typed) }).then(() => setTyped(null));
      }}
    >
      <label>
        {t('proceed.polling.seconds')}
        <input
          type="number"
          min={POLLING_SECONDS.min}
          max={POLLING_SECONDS.max}
          value={typed ?? polling.seconds}
          data-testid="desk-polling-seconds"
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {typed !== null && (
        <Button type="submit" data-testid="desk-polling-set-seconds">
          {t('proceed.polling.setSeconds')}
        </Button>
      )}
    </form>
  );
}

/** Switches whether the current turn is on air. */
function BroadcastSwitch({ isOn }: { isOn: boolean }) {
  const t = useT();
  const desk = useDesk();
  return (
    <label className="desk-switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        data-testid="desk-polling-broadcast"
        onChange={(event) => void desk.act({ verb: 'broadcastPolling', on: event.target.checked })}
      />
      <span>
        {t('proceed.polling.onAir')}
        <small>{t('proceed.polling.onAirHint')}</small>
      </span>
    </label>
  );
}

/** Filters which terminals get a turn. */
function FilterFields({ polling }: PollingProps) {
  const t = useT();
  const desk = useDesk();
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={polling.onlyVideo}
          onChange={(event) =>
            void desk.act({ verb: 'polling', settings: { onlyVideo: event.target.checked }, lectureId: null })
          }
        />{' '}
        {t('proceed.polling.onlyVideo')}
      </label>
      <label>
        <input
          type="checkbox"
          checked={polling.roomsOnly}
          onChange={(event) =>
            void desk.act({ verb: 'polling', settings: { roomsOnly: event.target.checked }, lectureId: null })
          }
        />{' '}
        {t('proceed.polling.roomsOnly')}
      </label>
    </>
  );
}

/** Progress of the current turn, by the server's clock. */
function TurnProgress({ polling }: PollingProps) {
  const t = useT();
  const { turn, switchAt, isPaused } = polling;
  const now = useServerNow(TICK);
  if (isPaused) return <p className="desk-panel-hint">{t('proceed.polling.paused')}</p>;
  if (turn === null || switchAt === null) return null;
  const { length, left } = turnAt(turn.since, switchAt, now);
  return (
    <p className="desk-switching">
      <progress max={length} value={length - left} aria-hidden="true" />
      <small>{t('proceed.polling.left', { seconds: Math.ceil(left / 1_000) })}</small>
    </p>
  );
}
