import { DataPacket, DataPacket_Kind } from '@livekit/protocol';
import type { ReceivedData } from './participant-types.ts';

/** Passes on the user data in a message of the data channels (livekit.DataPacket). */
export function readData(message: Buffer, onData: (data: ReceivedData) => void): void {
  const packet = DataPacket.fromBinary(message);
  if (packet.value.case !== 'user') return;
  const { payload, topic, participantIdentity } = packet.value.value;
  onData({
    payload,
    topic,
    from: packet.participantIdentity || participantIdentity,
    reliable: packet.kind === DataPacket_Kind.RELIABLE,
  });
}
