import {
  allowancesOf,
  CHAT_AUDIENCES,
  CHOSEN_MODES,
  type Allowances,
  type ChosenMode,
  type ConferenceControl,
} from '@rmeet/conference';
import type { Call, Tile } from '../../../../call/index.ts';
import { toast } from '../../../../lib/notify.ts';
import { useMediaQuery } from '../../../../lib/useMediaQuery.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { Menu, MenuGroup, MenuItem } from '../../../../ui/Menu.tsx';
import { useStorePart } from '../../shared/use-store.ts';
import { useT } from '../../texts.ts';
import { BroadcastItems } from './Broadcast.tsx';
import { RecordingItems } from './Recording.tsx';
import type { Control } from './useControl.ts';
import './control.css';

interface HostMenuProps {
  call: Call;
  control: Control;
  /** Opens the control of votes. */
  onVote: () => void;
  /** Asks whether to end the meeting for all. */
  onEnd: () => void;
}

/** Everything that people who lead the meeting do for the whole of it, in one menu of the toolbar. */
export function HostMenu(props: HostMenuProps) {
  const t = useT();
  const hasRoom = useMediaQuery('(min-width: 1260px)');
  return (
    <Menu
      button={
        <>
          <span className="control-icon">
            <Icon name="hostControls" size={22} />
          </span>
          <span className="control-label">{t(hasRoom ? 'hostMenu.title' : 'hostMenu.short')}</span>
        </>
      }
      label={t('hostMenu.title')}
      className="control"
      testId="host-menu"
      wide
    >
      <MenuGroup label={t('hostMenu.now')}>
        <NowItems {...props} />
      </MenuGroup>
      <BroadcastItems call={props.call} />
      <RecordingItems call={props.call} />
      <MenuGroup label={t('hostMenu.entry')}>
        <EntryItems {...props} />
      </MenuGroup>
      <MenuGroup label={t('hostMenu.allow')}>
        <AllowanceItems {...props} />
      </MenuGroup>
      <MenuGroup label={t('hostMenu.chat')}>
        <ChatItems {...props} />
      </MenuGroup>
      <MenuGroup label={t('control.mode')}>
        <ModeItems {...props} />
      </MenuGroup>
      <EndItem {...props} />
    </Menu>
  );
}

/** The desk, and commands to everybody at once. */
function NowItems({ call, control: { send }, onVote }: HostMenuProps) {
  const t = useT();
  const isGuest = useStorePart(call.store, ({ conference }) => conference?.me.role === 'guest');
  const tiles = useStorePart(call.store, (state) => state.tiles);
  const waiting = useStorePart(call.store, ({ conference }) => conference?.waiting);
  const mayAdmit = useStorePart(call.store, ({ conference }) => conference?.me.can.admit ?? false);
  const silent = idsOf(tiles, ({ own, microphoneOn }) => !own && !microphoneOn);
  const raised = idsOf(tiles, ({ handRaisedAt }) => handRaisedAt !== null);
  const waitingIds = mayAdmit ? (waiting ?? []).map(({ termId }) => termId) : [];
  const muteAll = (muted: boolean) =>
    void send(
      { verb: 'muteAll', muted, except: muted ? [call.termId] : [], allowSelfUnmute: null },
      t(muted ? 'done.muteAll' : 'done.unmuteAll'),
    );
  const askAll = () => {
    if (silent.length === 0) toast('success', () => t('hostMenu.nobodySilent'));
    else void send({ verb: 'askUnmute', termIds: silent }, t('hostMenu.askedAll', { count: silent.length }));
  };
  return (
    <>
      {/* The desk requires an account; guests have none. */}
      {!isGuest && (
        <MenuItem testId="to-desk" onSelect={() => openDesk(call.meetId)}>
          <Icon name="enter" size={18} />
          {t('hostMenu.desk')}
        </MenuItem>
      )}
      <MenuItem testId="host-vote" onSelect={onVote}>
        {t('hostMore.vote')}
      </MenuItem>
      {waitingIds.length > 0 && (
        <MenuItem testId="host-admit-all" onSelect={() => void send({ verb: 'admit', termIds: waitingIds })}>
          {t('hostMenu.admitAll', { count: waitingIds.length })}
        </MenuItem>
      )}
      {raised.length > 0 && (
        <MenuItem testId="host-lower-all" onSelect={() => void send({ verb: 'lowerHands', termIds: raised })}>
          {t('hands.lowerAll', { count: raised.length })}
        </MenuItem>
      )}
      <MenuItem testId="mute-all" onSelect={() => muteAll(true)}>
        {t('control.muteAll')}
      </MenuItem>
      <MenuItem testId="ask-all" onSelect={askAll}>
        {t('hostMenu.askAll')}
      </MenuItem>
      <MenuItem testId="unmute-all" onSelect={() => muteAll(false)}>
        {t('control.unmuteAll')}
      </MenuItem>
    </>
  );
}

const idsOf = (tiles: readonly Tile[], isMeant: (tile: Tile) => boolean): string[] =>
  tiles.flatMap((tile) => (tile.kind === 'camera' && isMeant(tile) ? [tile.termId] : []));

const openDesk = (meetId: string): void => void window.open(`#/meetingControl?meetId=${meetId}`, '_blank', 'noopener');

function EntryItems({ call, control: { send } }: HostMenuProps) {
  const t = useT();
  const { locked, muteOnEntry, waitingRoom } = useStorePart(call.store, (state) => state.control);
  const mayLock = useStorePart(call.store, ({ conference }) => conference?.me.can.lock ?? false);
  const change = (changed: { muteOnEntry?: boolean; waitingRoom?: boolean }) =>
    void send({ verb: 'entry', ...changed }, t('done.entry'));
  return (
    <>
      {mayLock && (
        <Switch
          testId="lock"
          on={locked}
          label={t('control.lock')}
          onToggle={() => void send({ verb: 'lock', locked: !locked }, t(locked ? 'done.unlock' : 'done.lock'))}
        />
      )}
      <Switch
        testId="entry-waiting"
        on={waitingRoom ?? false}
        label={t('control.waitingRoom')}
        onToggle={() => change({ waitingRoom: waitingRoom !== true })}
      />
      <Switch
        testId="entry-mute"
        on={muteOnEntry}
        label={t('control.muteOnEntry')}
        onToggle={() => change({ muteOnEntry: !muteOnEntry })}
      />
    </>
  );
}

/** The allowances of a call's conference, and how they are changed. */
function useAllowances({ call, control: { send } }: HostMenuProps) {
  const t = useT();
  const control: ConferenceControl = useStorePart(call.store, (state) => state.control);
  const allow = (changed: Partial<Allowances>) => void send({ verb: 'allow', ...changed }, t('done.entry'));
  return { control, allowances: allowancesOf(control), allow };
}

function AllowanceItems(props: HostMenuProps) {
  const t = useT();
  const {
    control: { allowSelfUnmute },
    allowances: { shareFor, reactions, selfRename },
    allow,
  } = useAllowances(props);
  const { send } = props.control;
  return (
    <>
      <Switch
        testId="entry-self-unmute"
        on={allowSelfUnmute}
        label={t('hostMenu.selfUnmute')}
        onToggle={() => void send({ verb: 'entry', allowSelfUnmute: !allowSelfUnmute }, t('done.entry'))}
      />
      <Switch
        testId="allow-share"
        on={shareFor === 'all'}
        label={t('hostMenu.share')}
        onToggle={() => allow({ shareFor: shareFor === 'all' ? 'hosts' : 'all' })}
      />
      <Switch
        testId="allow-reactions"
        on={reactions}
        label={t('hostMenu.reactions')}
        onToggle={() => allow({ reactions: !reactions })}
      />
      <Switch
        testId="allow-rename"
        on={selfRename}
        label={t('hostMenu.selfRename')}
        onToggle={() => allow({ selfRename: !selfRename })}
      />
    </>
  );
}

function ChatItems(props: HostMenuProps) {
  const t = useT();
  const { allowances, allow } = useAllowances(props);
  const barrier = useStorePart(props.call.store, ({ conference }) => conference?.chatFiles?.barrier);
  const audiences = CHAT_AUDIENCES.map((each) => (
    <MenuItem
      key={each}
      kind="radio"
      checked={allowances.chatFor === each}
      testId={`chat-for-${each}`}
      onSelect={() => each !== allowances.chatFor && allow({ chatFor: each })}
    >
      {t(`hostMenu.chatFor.${each}`)}
    </MenuItem>
  ));
  return (
    <>
      {audiences}
      {barrier === null && (
        <Switch
          testId="allow-files"
          on={allowances.chatFiles}
          label={t('chatFiles.hostSwitch')}
          onToggle={() => allow({ chatFiles: !allowances.chatFiles })}
        />
      )}
    </>
  );
}

function ModeItems({ call, control: { send } }: HostMenuProps) {
  const t = useT();
  const { mode, terminals } = useStorePart(call.store, (state) => state.control);
  const active = useStorePart(call.store, (state) => state.speakers.recent[0]);
  const setMode = (next: ChosenMode) => {
    // Mode SPEAKER puts the active speaker on air until another is chosen.
    const speaker = active !== undefined && terminals[active]?.present ? active : call.termId;
    void send({ verb: 'mode', mode: next, termId: next === 'SPEAKER' ? speaker : null }, t(`done.mode${next}`));
  };
  return CHOSEN_MODES.map((each) => (
    <MenuItem
      key={each}
      kind="radio"
      checked={mode === each}
      testId={`mode-${each}`}
      onSelect={() => each !== mode && setMode(each)}
    >
      {t(`control.mode${each}`)}
    </MenuItem>
  ));
}

function EndItem({ call, onEnd }: HostMenuProps) {
  const t = useT();
  const mayEnd = useStorePart(call.store, ({ conference }) => conference?.me.can.end ?? false);
  return mayEnd ? (
    <div className="menu-group">
      <MenuItem danger testId="host-end" onSelect={onEnd}>
        {t('hostMenu.end')}
      </MenuItem>
    </div>
  ) : null;
}

function Switch({ testId, on, label, onToggle }: { testId: string; on: boolean; label: string; onToggle: () => void }) {
  return (
    <MenuItem kind="checkbox" checked={on} testId={testId} onSelect={onToggle}>
      {label}
    </MenuItem>
  );
}
