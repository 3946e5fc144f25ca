import type { Call, LocalMedia } from '../../../call/index.ts';
import { NoticePlace } from '../../../ui/Notices.tsx';
import { useStorePart } from '../shared/use-store.ts';
import type { Control } from './control/useControl.ts';
import { UndoNotice } from './control/UndoNotice.tsx';
import { Messages } from './Messages.tsx';
import './roomNotices.css';

/** All short messages of the room, in one place over its header, where they cover neither names nor controls. */
export function RoomNotices({ call, local, control }: { call: Call; local: LocalMedia; control: Control }) {
  const isSharing = useStorePart(local.store, ({ screen }) => screen.video !== null);
  const savesData = useStorePart(call.store, ({ dataMode }) => dataMode !== 'full');
  return (
    <div className="room-notices" data-sharing={isSharing} data-saving={savesData}>
      <NoticePlace />
      <UndoNotice control={control} />
      <Messages call={call} local={local} />
    </div>
  );
}
