import { CHOSEN_MODES, type ChosenMode } from '@rmeet/conference';
import type { Call } from '../../../../call/index.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { useT } from '../../texts.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { Menu, MenuGroup, MenuItem } from '../../../../ui/Menu.tsx';
import type { Control } from './useControl.ts';
import './control.css';

/** What concerns everybody: mute all, lock, how people come in, and who is on air. */
export function ChairBar({ call, control }: { call: Call; control: Control }) {
  const t = useT();
  const { locked, muteOnEntry, allowSelfUnmute, waitingRoom, mode, terminals } = useStorePart(
    call.store,
    (state) => state.control,
  );
  const mayLock = useStorePart(call.store, (state) => state.conference?.me.can.lock ?? false);
  const isGuest = useStorePart(call.store, (state) => state.conference?.me.role === 'guest');
  const floor = useStorePart(call.store, (state) => state.speakers.recent[0]);
  const { send } = control;
  const change = (changed: { muteOnEntry?: boolean; allowSelfUnmute?: boolean; waitingRoom?: boolean }) =>
    void send({ verb: 'entry', ...changed }, t('done.entry'));
  const setMode = (next: ChosenMode) => {
    // The speaker to stay on air is whoever has the floor now, until another is chosen.
    const speaker = floor !== undefined && terminals[floor]?.present ? floor : call.termId;
    void send({ verb: 'mode', mode: next, termId: next === 'SPEAKER' ? speaker : null }, t(`done.mode${next}`));
  };
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
      </Menu>
      {!isGuest && (
        // Layouts, turns, captions and votes are given from there, which guests have no account for.
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
