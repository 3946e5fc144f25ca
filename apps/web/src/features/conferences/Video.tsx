import { useEffect, useRef, useState } from 'react';
import type { VideoHandle } from '../../call/index.ts';

interface VideoProps {
  video: VideoHandle;
  /** Shows the whole picture, whatever its shape. */
  whole?: boolean;
  /** Width by height of the space; a picture that would lose too much of itself by filling it is shown whole. */
  aspect?: number;
  label: string;
}

/** Share of a picture that must stay visible when it fills its space. */
const KEPT = 0.5;

/** A moving picture. Sound never comes from here. */
export function Video({ video, whole = false, aspect, label }: VideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const [natural, setNatural] = useState<number | null>(null);
  useEffect(() => {
    const target = element.current;
    if (target === null) return undefined;
    video.attach(target);
    return () => video.detach(target);
  }, [video]);
  const fills = !whole && (natural === null || aspect === undefined || Math.min(natural, aspect) / Math.max(natural, aspect) >= KEPT);
  const classes = ['call-video', video.mirrored ? 'call-video-mirrored' : '', fills ? '' : 'call-video-whole'].filter(Boolean).join(' ');
  return (
    <video
      ref={element}
      className={classes}
      aria-label={label}
      autoPlay
      muted
      playsInline
      disablePictureInPicture
      onResize={({ currentTarget: { videoWidth, videoHeight } }) => setNatural(videoHeight > 0 ? videoWidth / videoHeight : null)}
    />
  );
}
