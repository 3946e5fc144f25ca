"""A participant by LiveKit's Python SDK, driven by packages/testkit/src/python-peer.ts.

Usage: peer.py {"url": ..., "token": ..., "single": true}. Commands are JSON lines on standard input, reports are JSON
lines on standard output.
"""

import asyncio
import json
import math
import struct
import sys

from livekit import rtc

SAMPLE_RATE = 48_000
SAMPLES = 480
WIDTH, HEIGHT = 320, 180
REPORT_SECONDS = 0.1


class Peer:
    def __init__(self) -> None:
        self.room = rtc.Room()
        self.received: dict[str, dict[str, float]] = {}
        self.messages: list[str] = []
        self.tasks: set[asyncio.Task] = set()
        self.room.on("track_subscribed", self.on_track)
        self.room.on("track_unsubscribed", self.on_track_ended)
        self.room.on("data_received", self.on_data)

    def spawn(self, work) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    @staticmethod
    def key(track, participant) -> str:
        kind = "audio" if track.kind == rtc.TrackKind.KIND_AUDIO else "video"
        return f"{participant.identity} {kind}"

    def on_track(self, track, _publication, participant) -> None:
        heard = {"frames": 0, "level": 0}
        self.received[self.key(track, participant)] = heard
        is_audio = isinstance(track, rtc.RemoteAudioTrack)
        self.spawn(self.count_audio(track, heard) if is_audio else self.count_video(track, heard))

    def on_track_ended(self, track, _publication, participant) -> None:
        self.received.pop(self.key(track, participant), None)

    def on_data(self, packet) -> None:
        sender = packet.participant.identity if packet.participant else "server"
        self.messages.append(f"{sender} {packet.topic or ''} {packet.data.decode()}")

    async def count_audio(self, track, heard) -> None:
        async for event in rtc.AudioStream(track):
            samples = event.frame.data
            heard["frames"] += 1
            heard["level"] = sum(abs(sample) for sample in samples) / max(1, len(samples))

    async def count_video(self, track, heard) -> None:
        async for event in rtc.VideoStream(track):
            heard["frames"] += 1
            heard["level"] = event.frame.width

    async def publish(self) -> None:
        audio, video = rtc.AudioSource(SAMPLE_RATE, 1), rtc.VideoSource(WIDTH, HEIGHT)
        me = self.room.local_participant
        await me.publish_track(
            rtc.LocalAudioTrack.create_audio_track("tone", audio),
            rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE),
        )
        await me.publish_track(
            rtc.LocalVideoTrack.create_video_track("picture", video),
            rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_CAMERA),
        )
        self.spawn(self.send(audio, video))

    async def send(self, audio, video) -> None:
        """A tone of 440 Hz and a picture that changes; the queue of the audio source is the clock of both."""
        frame = 0
        while True:
            first = frame * SAMPLES
            tone = (int(8000 * math.sin(2 * math.pi * 440 * (first + n) / SAMPLE_RATE)) for n in range(SAMPLES))
            await audio.capture_frame(rtc.AudioFrame(struct.pack(f"{SAMPLES}h", *tone), SAMPLE_RATE, 1, SAMPLES))
            if frame % 7 == 0:
                picture = bytes([frame * 3 % 256]) * (WIDTH * HEIGHT * 4)
                video.capture_frame(rtc.VideoFrame(WIDTH, HEIGHT, rtc.VideoBufferType.RGBA, picture))
            frame += 1

    async def report(self) -> None:
        while True:
            print(json.dumps({"received": self.received, "messages": self.messages}), flush=True)
            await asyncio.sleep(REPORT_SECONDS)

    async def obey(self, command) -> None:
        if command["do"] == "publish":
            await self.publish()
        elif command["do"] == "say":
            await self.room.local_participant.publish_data(
                command["text"], reliable=command["reliable"], topic=command["topic"]
            )


async def main() -> None:
    options = json.loads(sys.argv[1])
    peer = Peer()
    await peer.room.connect(
        options["url"], options["token"], rtc.RoomOptions(single_peer_connection=options["single"])
    )
    peer.spawn(peer.report())
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    # the end of the input is the order to leave
    while line := await commands.readline():
        await peer.obey(json.loads(line))
    await peer.room.disconnect()
    for task in list(peer.tasks):
        task.cancel()


asyncio.run(main())
