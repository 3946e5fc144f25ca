import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { VideoHandle } from '../../../call/index.ts';

interface VideoProps {
  video: VideoHandle;
  /** Shows the whole picture, whatever its shape. */
  whole?: boolean;
  /** Width by height of the space; a picture that would lose too much of itself by filling it is shown whole. */
  aspect?: number;
  label: string;
  /** Told when there is a picture to be seen, and when there is none any more. */
  onFrame?: ((has: boolean) => void) | undefined;
}

/** Share of a picture that must stay visible when it fills its space. */
const KEPT = 0.5;

/** A moving picture. Sound never comes from here. */
export function Video({ video, whole = false, aspect, label, onFrame }: VideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const [natural, setNatural] = useState<number | null>(null);
  const tellFrame = useEffectEvent((has: boolean) => onFrame?.(has));
  useEffect(() => {
    const target = element.current;
    if (target === null) return undefined;
    video.attach(target);
    // A track that takes another's place in the same element shows that one's last frame until it has its own.
    if (target.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) tellFrame(true);
    return () => video.detach(target);
  }, [video]);
  useEffect(() => () => tellFrame(false), []);
  const fills =
    !whole &&
    (natural === null || aspect === undefined || Math.min(natural, aspect) / Math.max(natural, aspect) >= KEPT);
  const classes = ['call-video', video.mirrored ? 'call-video-mirrored' : '', fills ? '' : 'call-video-whole']
    .filter(Boolean)
    .join(' ');
  return (
    <video
      ref={element}
      className={classes}
      aria-label={label}
      autoPlay
      muted
      playsInline
      disablePictureInPicture
      onLoadedData={() => onFrame?.(true)}
      onResize={({ currentTarget: { videoWidth, videoHeight } }) =>
        setNatural(videoHeight > 0 ? videoWidth / videoHeight : null)
      }
    />
  );
}
