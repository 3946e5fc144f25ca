/**
 * Prepares the browser's first peer connection in advance (threads, codecs, network interfaces), which takes about 50
 * ms. Sends nothing.
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
