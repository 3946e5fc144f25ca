import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { VideoHandle } from '../../../call/index.ts';

interface VideoProps {
  video: VideoHandle;
  /** Shows the whole picture, whatever its aspect ratio. */
  whole?: boolean;
  /** Aspect ratio of the space (width by height); a picture that would be cropped too much is shown whole. */
  aspect?: number;
  /** False shows a mirrored picture as others see it. */
  mirror?: boolean;
  label: string;
  /** Called when a picture becomes visible, and when it disappears. */
  onFrame?: ((has: boolean) => void) | undefined;
}

/**
 * Share of a picture that must stay visible when it fills its space. Its sides can go, because faces are in the middle;
 * but at the top are heads.
 */
const KEPT = { width: 0.4, height: 0.7 };

/** Whether a picture can fill a space without losing faces; both as aspect ratios. */
export function fillsSpace(picture: number, space: number): boolean {
  return picture > space ? space / picture >= KEPT.width : picture / space >= KEPT.height;
}

/** A video. It is always silent. */
export function Video({ video, whole = false, aspect, mirror = true, label, onFrame }: VideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const [natural, setNatural] = useState<number | null>(null);
  const tellFrame = useEffectEvent((has: boolean) => onFrame?.(has));
  useEffect(() => {
    const target = element.current;
    if (target === null) return undefined;
    video.attach(target);
    // After a change of tracks, the element shows the last frame of the old track until the new one has a frame.
    if (target.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) tellFrame(true);
    return () => video.detach(target);
  }, [video]);
  useEffect(() => () => tellFrame(false), []);
  const fills = !whole && (natural === null || aspect === undefined || fillsSpace(natural, aspect));
  const classes = ['call-video', video.mirrored && mirror ? 'call-video-mirrored' : '', fills ? '' : 'call-video-whole']
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
