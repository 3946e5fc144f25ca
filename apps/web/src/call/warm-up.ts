/**
 * Lets the browser set up what its first peer connection needs (threads, codecs, a look at the network interfaces),
 * which costs about 50 ms, while nobody waits for it. Nothing leaves the machine.
 */
export async function warmUpPeerConnection(): Promise<void> {
  if (!('RTCPeerConnection' in globalThis)) return;
  const connection = new RTCPeerConnection();
  connection.addTransceiver('audio');
  connection.addTransceiver('video');
  connection.createDataChannel('warm-up');
  await connection.setLocalDescription(await connection.createOffer());
  connection.close();
}
