import { CHOSEN_MODES, type ChosenMode } from '@rmeet/conference';
import type { Call } from '../../../../call/index.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { useT } from '../../texts.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { Menu, MenuGroup, MenuItem } from '../../../../ui/Menu.tsx';
import type { Control } from './useControl.ts';
import './control.css';

interface ChairBarProps {
  call: Call;
  control: Control;
}

/** Commands for the whole conference: mute all, lock, entry and mode. */
export function ChairBar({ call, control }: ChairBarProps) {
  const t = useT();
  const isGuest = useStorePart(call.store, (state) => state.conference?.me.role === 'guest');
  const { send } = control;
  return (
    <div className="chair-bar" role="group" aria-label={t('control.title')}>
      <Button
        data-testid="mute-all"
        onClick={() =>
          void send({ verb: 'muteAll', muted: true, except: [call.termId], allowSelfUnmute: null }, t('done.muteAll'))
        }
      >
        {t('control.muteAll')}
      </Button>
      <Button
        data-testid="unmute-all"
        onClick={() =>
          void send({ verb: 'muteAll', muted: false, except: [], allowSelfUnmute: null }, t('done.unmuteAll'))
        }
      >
        {t('control.unmuteAll')}
      </Button>
      <Menu
        button={<Icon name="devices" size={20} />}
        label={t('control.settings')}
        className="room-icon-button chair-settings"
        testId="chair-settings"
      >
        <EntryItems call={call} control={control} />
        <ModeItems call={call} control={control} />
      </Menu>
      {!isGuest && (
        // Layouts, polling, captions and votes are controlled at the desk, which requires an account; guests have none.
        <a
          className="chair-desk"
          href={`#/meetingControl?meetId=${call.meetId}`}
          target="_blank"
          rel="noopener"
          data-testid="to-desk"
        >
          {t('control.desk')}
        </a>
      )}
    </div>
  );
}

function EntryItems({ call, control: { send } }: ChairBarProps) {
  const t = useT();
  const { locked, muteOnEntry, allowSelfUnmute, waitingRoom } = useStorePart(call.store, (state) => state.control);
  const mayLock = useStorePart(call.store, (state) => state.conference?.me.can.lock ?? false);
  const change = (changed: { muteOnEntry?: boolean; allowSelfUnmute?: boolean; waitingRoom?: boolean }) =>
    void send({ verb: 'entry', ...changed }, t('done.entry'));
  return (
    <>
      {mayLock && (
        <MenuItem
          kind="checkbox"
          checked={locked}
          testId="lock"
          onSelect={() => void send({ verb: 'lock', locked: !locked }, t(locked ? 'done.unlock' : 'done.lock'))}
        >
          {t('control.lock')}
        </MenuItem>
      )}
      <MenuItem
        kind="checkbox"
        checked={waitingRoom ?? false}
        testId="entry-waiting"
        onSelect={() => change({ waitingRoom: waitingRoom !== true })}
      >
        {t('control.waitingRoom')}
      </MenuItem>
      <MenuItem
        kind="checkbox"
        checked={muteOnEntry}
        testId="entry-mute"
        onSelect={() => change({ muteOnEntry: !muteOnEntry })}
      >
        {t('control.muteOnEntry')}
      </MenuItem>
      <MenuItem
        kind="checkbox"
        checked={allowSelfUnmute}
        testId="entry-self-unmute"
        onSelect={() => change({ allowSelfUnmute: !allowSelfUnmute })}
      >
        {t('control.allowSelfUnmute')}
      </MenuItem>
    </>
  );
}

function ModeItems({ call, control: { send } }: ChairBarProps) {
  const t = useT();
  const { mode, terminals } = useStorePart(call.store, (state) => state.control);
  const active = useStorePart(call.store, (state) => state.speakers.recent[0]);
  const setMode = (next: ChosenMode) => {
    // Mode SPEAKER puts the active speaker on air until another is chosen.
    const speaker = active !== undefined && terminals[active]?.present ? active : call.termId;
    void send({ verb: 'mode', mode: next, termId: next === 'SPEAKER' ? speaker : null }, t(`done.mode${next}`));
  };
  return (
    <MenuGroup label={t('control.mode')}>
      {CHOSEN_MODES.map((each) => (
        <MenuItem
          key={each}
          kind="radio"
          checked={mode === each}
          testId={`mode-${each}`}
          onSelect={() => each !== mode && setMode(each)}
        >
          {t(`control.mode${each}`)}
        </MenuItem>
      ))}
    </MenuGroup>
  );
}
