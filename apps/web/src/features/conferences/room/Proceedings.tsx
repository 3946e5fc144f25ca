import type { ConferenceControl, SpeakingTimer, Vote } from '@rmeet/conference';
import { useState } from 'react';
import type { Call } from '../../../call/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { rollProgress, timerAt } from '../shared/proceedings.ts';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';
import { useNow } from '../shared/hooks.ts';
import { VoteDialog } from './VoteDialog.tsx';
import './proceedings.css';

interface ProceedingsProps {
  call: Call;
  control: ConferenceControl;
  ownView: boolean;
  /** The user has the control of votes open, which shows the same. */
  managesVote: boolean;
  onChairsView: () => void;
}

/** The state of the proceedings in one line above the pictures: timer, roll call, vote, and whose turn is next. */
export function Proceedings({ call, control, ownView, managesVote, onChairsView }: ProceedingsProps) {
  const t = useT();
  const { polling, rollCall, vote } = control;
  const isNext = polling?.next === call.termId && !polling.isPaused;
  const isCalled = rollCall?.endedAt === null && rollCall.currentId === call.termId;
  const voteDialog = useVoteDialog(vote, managesVote);
  return (
    <>
      <div className="proceedings">
        {isCalled && <CalledNotice />}
        {control.timer !== null && <Timer call={call} control={control} timer={control.timer} />}
        {rollCall?.endedAt === null && <RollCallChip control={control} />}
        {vote !== null && <VoteButton vote={vote} onOpen={voteDialog.open} />}
        {isNext && (
          <span className="proceeding" role="status" data-testid="turn-next">
            {t('proceedings.next')}
          </span>
        )}
        {ownView && <OwnViewNotice onChairsView={onChairsView} />}
      </div>
      {vote !== null && voteDialog.isOpen && (
        <VoteDialog key={voteDialog.moment} call={call} vote={vote} onClose={voteDialog.close} />
      )}
    </>
  );
}

/** A vote opens its dialog when it starts and when its result arrives; once closed, the user can reopen it. */
function useVoteDialog(vote: Vote | null, manages: boolean) {
  const moment = vote === null ? '' : `${vote.id} ${vote.closedAt ?? ''}`;
  const [closed, setClosed] = useState('');
  // Who closed the vote has seen its result; the own ballot is still asked for afterwards.
  const hasSeenResult = manages && vote !== null && vote.closedAt !== null;
  if (hasSeenResult && closed !== moment) setClosed(moment);
  return { moment, isOpen: !manages && closed !== moment, open: () => setClosed(''), close: () => setClosed(moment) };
}

function CalledNotice() {
  const t = useT();
  return (
    <strong className="proceeding proceeding-called" role="alert" data-testid="called">
      {t('proceedings.called')}
    </strong>
  );
}

function VoteButton({ vote, onOpen }: { vote: Vote; onOpen: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      className="proceeding proceeding-button"
      aria-haspopup="dialog"
      data-testid="vote-open"
      onClick={onOpen}
    >
      {t(vote.closedAt === null ? 'vote.open' : 'vote.showResult')}
    </button>
  );
}

function OwnViewNotice({ onChairsView }: Pick<ProceedingsProps, 'onChairsView'>) {
  const t = useT();
  return (
    <span className="proceeding" data-testid="own-view">
      {t('proceedings.ownView')}
      <button type="button" className="link-button" data-testid="own-view-back" onClick={onChairsView}>
        {t('proceedings.chairsView')}
      </button>
    </span>
  );
}

/** Whose speaking time runs, and the time left by the server's clock. */
function Timer({
  call,
  control: { terminals },
  timer,
}: Pick<ProceedingsProps, 'call' | 'control'> & { timer: SpeakingTimer }) {
  const t = useT();
  const clockAhead = useStorePart(call.store, (state) => state.clockAhead ?? 0);
  const now = useNow(timer.endsAt !== null);
  const at = timerAt(timer, now + clockAhead);
  const name = timer.termId === null ? '' : (terminals[timer.termId]?.name ?? '');
  return (
    <>
      <span
        className={`proceeding timer timer-${at.look}`}
        role="timer"
        aria-live="off"
        data-testid="timer"
        data-look={at.look}
      >
        <Icon name="clock" size={15} />
        <span className="timer-who">
          {name === '' ? t('timer.all') : timer.termId === call.termId ? t('timer.yours') : name}
        </span>
        <span className="timer-left" data-testid="timer-left">
          {at.text}
        </span>
        {(at.look === 'paused' || at.look === 'over') && <span>{t(`timer.${at.look}`)}</span>}
      </span>
      {/* Screen readers do not read the clock every second. */}
      <span className="visually-hidden" role="status">
        {at.look === 'warning' ? t('timer.warning') : at.look === 'over' ? t('timer.over') : ''}
      </span>
    </>
  );
}

function RollCallChip({ control: { rollCall } }: Pick<ProceedingsProps, 'control'>) {
  const t = useT();
  if (rollCall === null) return null;
  const { marked, total } = rollProgress(rollCall);
  const name = rollCall.entries.find(({ termId }) => termId === rollCall.currentId)?.name;
  return (
    <span className="proceeding" role="status" data-testid="roll-call">
      {name === undefined ? t('rollCall.progress', { marked, total }) : t('rollCall.calling', { name, marked, total })}
    </span>
  );
}
