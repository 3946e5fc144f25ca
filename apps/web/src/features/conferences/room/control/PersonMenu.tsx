import type { Call, Tile } from '../../../../call/index.ts';
import { Icon } from '../../icons.tsx';
import { useT } from '../../texts.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { Menu, MenuGroup, MenuItem } from '../../../../ui/Menu.tsx';
import type { PeopleDialog } from './PeopleDialogs.tsx';
import type { Control } from './useControl.ts';

interface PersonMenuProps {
  call: Call;
  control: Control;
  tile: Tile;
  onDialog: (dialog: PeopleDialog) => void;
}

/** What a chair can do with one person. */
export function PersonMenu({ call, control: { give }, tile, onDialog }: PersonMenuProps) {
  const t = useT();
  const me = useStorePart(call.store, (state) => state.conference?.me);
  const control = useStorePart(call.store, (state) => state.control);
  const { termId, name, own, muted, cameraOff, part } = tile;
  const can = me?.can;
  const only = [termId];
  // The server lets nobody put out whoever stands above them.
  const isAbove = me?.role !== 'host' && (tile.role === 'host' || (part === 'chair' && can?.handOverChair !== true));
  const isOnAir = control.mode === 'SPEAKER' && control.speakerId === termId;
  const isTop = control.terminals[termId]?.top ?? false;
  const people = [{ termId, name }];
  return (
    <Menu
      button={<Icon name="more" size={20} />}
      label={t('control.person', { name })}
      className="icon-button person-menu"
      testId={`person-menu-${termId}`}
    >
      {!own && (
        <>
          <MenuItem
            testId="person-mute"
            onSelect={() =>
              void give(({ mute }) => mute(only, !muted), t(muted ? 'done.unmute' : 'done.mute', { name }))
            }
          >
            {t(muted ? 'control.unmute' : 'control.mute')}
          </MenuItem>
          {!tile.microphoneOn && (
            <MenuItem
              testId="person-ask"
              onSelect={() => void give(({ askUnmute }) => askUnmute(only), t('done.askUnmute', { name }))}
            >
              {t('control.askUnmute')}
            </MenuItem>
          )}
          <MenuItem
            testId="person-camera"
            onSelect={() =>
              void give(
                ({ camera }) => camera(only, cameraOff),
                t(cameraOff ? 'done.cameraOn' : 'done.cameraOff', { name }),
              )
            }
          >
            {t(cameraOff ? 'control.cameraOn' : 'control.cameraOff')}
          </MenuItem>
        </>
      )}
      <MenuGroup label={t('control.groupStanding')}>
        <MenuItem
          testId="person-on-air"
          onSelect={() =>
            void give(
              ({ speaker }) => speaker(isOnAir ? null : termId),
              t(isOnAir ? 'done.offAir' : 'done.onAir', { name }),
            )
          }
        >
          {t(isOnAir ? 'control.offAir' : 'control.onAir')}
        </MenuItem>
        {can?.handOverChair === true && part !== 'chair' && (
          <>
            <MenuItem
              testId="person-chair"
              onSelect={() => void give(({ chairman }) => chairman(termId), t('done.chairman', { name }))}
            >
              {t(own ? 'control.takeChair' : 'control.chairman')}
            </MenuItem>
            <MenuItem
              testId="person-co-chair"
              onSelect={() =>
                void give(
                  ({ coChairs }) => coChairs(only, part === null),
                  t(part === null ? 'done.coChair' : 'done.notCoChair', { name }),
                )
              }
            >
              {t(part === null ? 'control.coChair' : 'control.notCoChair')}
            </MenuItem>
          </>
        )}
        <MenuItem
          testId="person-top"
          onSelect={() => void give(({ top }) => top(termId, !isTop), t(isTop ? 'done.notTop' : 'done.top', { name }))}
        >
          {t(isTop ? 'control.notTop' : 'control.top')}
        </MenuItem>
        <MenuItem testId="person-rename" onSelect={() => onDialog({ kind: 'rename', people })}>
          {t('control.rename')}
        </MenuItem>
      </MenuGroup>
      {!own && !isAbove && (
        <MenuGroup label={t('control.groupAway')}>
          {can?.admit === true && (
            <MenuItem testId="person-send-back" onSelect={() => void give(({ sendBack }) => sendBack(only))}>
              {t('control.sendBack')}
            </MenuItem>
          )}
          <MenuItem danger testId="person-remove" onSelect={() => onDialog({ kind: 'remove', people })}>
            {t('control.remove')}
          </MenuItem>
        </MenuGroup>
      )}
    </Menu>
  );
}
