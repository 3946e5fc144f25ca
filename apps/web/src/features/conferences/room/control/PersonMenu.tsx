import type { Call, Tile } from '../../../../call/index.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { useT } from '../../texts.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { Menu, MenuGroup, MenuItem } from '../../../../ui/Menu.tsx';
import type { PeopleDialog } from './PeopleDialogs.tsx';
import type { Control } from './useControl.ts';

interface PersonMenuProps {
  call: Call;
  send: Control['send'];
  tile: Tile;
  onDialog: (dialog: PeopleDialog) => void;
  /** Whether it lies on the person's picture. */
  onTile?: boolean;
}

/** A chair's commands for one person. */
export function PersonMenu(props: PersonMenuProps) {
  const t = useT();
  const me = useStorePart(props.call.store, (state) => state.conference?.me);
  const { termId, name, own, role, part } = props.tile;
  // The server refuses to remove anyone with a higher role.
  const isAbove = me?.role !== 'host' && (role === 'host' || (part === 'chair' && me?.can.handOverChair !== true));
  return (
    <Menu
      button={<Icon name="more" size={20} />}
      label={t('control.person', { name })}
      className={props.onTile === true ? 'room-icon-button tile-menu' : 'room-icon-button person-menu'}
      testId={`${props.onTile === true ? 'on-tile' : 'person'}-menu-${termId}`}
    >
      {!own && <MediaItems {...props} />}
      <RoleItems {...props} mayHandOver={me?.can.handOverChair === true} />
      {!own && !isAbove && <RemovalItems {...props} mayAdmit={me?.can.admit === true} />}
    </Menu>
  );
}

function MediaItems({ send, tile }: PersonMenuProps) {
  const t = useT();
  const { termId, name, muted, microphoneOn, cameraOff, handRaisedAt } = tile;
  const termIds = [termId];
  return (
    <>
      {handRaisedAt !== null && (
        <MenuItem testId="person-lower-hand" onSelect={() => void send({ verb: 'lowerHands', termIds })}>
          {t('hands.lower')}
        </MenuItem>
      )}
      <MenuItem
        testId="person-mute"
        onSelect={() =>
          void send({ verb: 'mute', termIds, muted: !muted }, t(muted ? 'done.unmute' : 'done.mute', { name }))
        }
      >
        {t(muted ? 'control.unmute' : 'control.mute')}
      </MenuItem>
      {!microphoneOn && (
        <MenuItem
          testId="person-ask"
          onSelect={() => void send({ verb: 'askUnmute', termIds }, t('done.askUnmute', { name }))}
        >
          {t('control.askUnmute')}
        </MenuItem>
      )}
      <MenuItem
        testId="person-camera"
        onSelect={() =>
          void send(
            { verb: 'camera', termIds, open: cameraOff },
            t(cameraOff ? 'done.cameraOn' : 'done.cameraOff', { name }),
          )
        }
      >
        {t(cameraOff ? 'control.cameraOn' : 'control.cameraOff')}
      </MenuItem>
    </>
  );
}

function RoleItems({
  call,
  send,
  tile: { termId, name, own, part },
  onDialog,
  mayHandOver,
}: PersonMenuProps & { mayHandOver: boolean }) {
  const t = useT();
  const { mode, speakerId, terminals } = useStorePart(call.store, (state) => state.control);
  const isOnAir = mode === 'SPEAKER' && speakerId === termId;
  const isTop = terminals[termId]?.top ?? false;
  const isCoChair = part !== null;
  return (
    <MenuGroup label={t('control.groupStanding')}>
      <MenuItem
        testId="person-on-air"
        onSelect={() =>
          void send(
            { verb: 'speaker', termId: isOnAir ? null : termId },
            t(isOnAir ? 'done.offAir' : 'done.onAir', { name }),
          )
        }
      >
        {t(isOnAir ? 'control.offAir' : 'control.onAir')}
      </MenuItem>
      {mayHandOver && part !== 'chair' && (
        <>
          <MenuItem
            testId="person-chair"
            onSelect={() => void send({ verb: 'chairman', termId }, t('done.chairman', { name }))}
          >
            {t(own ? 'control.takeChair' : 'control.chairman')}
          </MenuItem>
          <MenuItem
            testId="person-co-chair"
            onSelect={() =>
              void send(
                { verb: 'coChairs', termIds: [termId], appoint: !isCoChair },
                t(isCoChair ? 'done.notCoChair' : 'done.coChair', { name }),
              )
            }
          >
            {t(isCoChair ? 'control.notCoChair' : 'control.coChair')}
          </MenuItem>
        </>
      )}
      <MenuItem
        testId="person-top"
        onSelect={() =>
          void send({ verb: 'top', termId, top: !isTop }, t(isTop ? 'done.notTop' : 'done.top', { name }))
        }
      >
        {t(isTop ? 'control.notTop' : 'control.top')}
      </MenuItem>
      <MenuItem testId="person-rename" onSelect={() => onDialog({ kind: 'rename', people: [{ termId, name }] })}>
        {t('control.rename')}
      </MenuItem>
    </MenuGroup>
  );
}

function RemovalItems({ send, tile: { termId, name }, onDialog, mayAdmit }: PersonMenuProps & { mayAdmit: boolean }) {
  const t = useT();
  return (
    <MenuGroup label={t('control.groupAway')}>
      {mayAdmit && (
        <MenuItem testId="person-send-back" onSelect={() => void send({ verb: 'sendBack', termIds: [termId] })}>
          {t('control.sendBack')}
        </MenuItem>
      )}
      <MenuItem danger testId="person-remove" onSelect={() => onDialog({ kind: 'remove', people: [{ termId, name }] })}>
        {t('control.remove')}
      </MenuItem>
    </MenuGroup>
  );
}
