import type { Reaction } from '@rmeet/contract';
import type { ReactNode } from 'react';

const skin = '#ffc93c';
const line = { fill: 'none', stroke: '#5b3a00', strokeWidth: 1.6, strokeLinecap: 'round' } as const;
const face = <circle cx="12" cy="12" r="9.5" fill={skin} />;
const eyes = (
  <>
    <circle cx="8.7" cy="9.6" r="1.2" fill="#5b3a00" />
    <circle cx="15.3" cy="9.6" r="1.2" fill="#5b3a00" />
  </>
);

/** Drawn, because not every system has a font with emoji. */
const DRAWINGS: Record<Reaction, ReactNode> = {
  thumbsUp: (
    <>
      <path
        fill={skin}
        d={
          'M8 11 11.6 3.300c.3-.7 1-1 1.700-.800 1.300.3 2 1.600 1.700 ' +
          '2.900L14.300 8.500H19c1.500 0 2.600 1.400 2.200 ' +
          '2.900l-1.900 7.200c-.3 1.100-1.300 1.900-2.400 1.900H8z'
        }
      />
      <rect x="2.500" y="10.500" width="4.500" height="10.500" rx="1.200" fill="#3f8cff" />
    </>
  ),
  heart: (
    <path
      fill="#f2415a"
      d={
        'M12 20.800C5.500 16.300 2.500 12.900 2.500 9a5 5 0 0 1 ' +
        '9.500-2.200A5 5 0 0 1 21.500 9c0 3.900-3 7.300-9.500 11.800Z'
      }
    />
  ),
  laugh: (
    <>
      {face}
      <path {...line} d="M6.800 10.200c.6-1.200 2.600-1.200 3.200 0M14 10.200c.6-1.200 2.600-1.200 3.200 0" />
      <path fill="#5b3a00" d="M6.800 13h10.400a5.200 5.200 0 0 1-10.400 0Z" />
      <path fill="#f2415a" d="M9.300 17.100a3.500 3.500 0 0 1 5.400 0 5.200 5.200 0 0 1-5.400 0Z" />
    </>
  ),
  applause: (
    <>
      <path
        fill="#f0a92a"
        d={
          'm12.500 6.500 5.800 5.300c3 2.700 2.600 6.200.4 ' +
          '8.300-2.400 2.300-6 2.200-8.400-.1L5.500 15l1.400-1.500 1 .9Z'
        }
      />
      <path
        fill={skin}
        d={
          'M4.300 12.300c-.9-.9.400-2.300 1.400-1.400l3 ' +
          '2.700-4-4.400c-.9-1 .600-2.300 1.500-1.300l4 4.300-3.200-4.300c-.8-1.100.8-2.300 ' +
          '1.600-1.200l4.600 5.600-.2-2.400c-.2-1.400 1.800-1.700 ' +
          '2.200-.4l1.100 3.900c.9 3.200-.6 5.800-3 6.700-2.200.8-4.400.2-6-1.500Z'
        }
      />
      <path {...line} stroke="#3f8cff" d="M14.500 2.500v2.300M18.500 3.500l-1.200 2M21.500 7l-2.200.8" />
    </>
  ),
  surprise: (
    <>
      {face}
      {eyes}
      <path {...line} d="M7 6.600c.8-.7 1.800-.9 2.800-.6M17 6.600c-.8-.7-1.800-.9-2.800-.6" />
      <ellipse cx="12" cy="15.700" rx="2.400" ry="3" fill="#5b3a00" />
    </>
  ),
  party: (
    <>
      <path fill="#f0a92a" d="m2.500 21.500 5-13.500 8.500 8.500Z" />
      <path
        fill="#f2415a"
        d="m4.300 16.600 3.100 3.100 3.200-1.200-5.100-5.200ZM6.300 11.300l6.400 6.500 3.300-1.300L7.500 8Z"
      />
      <path {...line} stroke="#3f8cff" d="M12.500 9.500c1.500-1 1.800-2.700 1-4.500M15 12c1-1.600 3.200-2.200 5-1" />
      <circle cx="18.500" cy="5" r="1.400" fill="#4cc38a" />
      <circle cx="9.500" cy="3.500" r="1.200" fill="#f2415a" />
      <circle cx="21" cy="15.500" r="1.200" fill="#3f8cff" />
    </>
  ),
};

/** The picture of a reaction; what it means is said beside it or by a label. */
export function ReactionImage({ reaction, size = 28 }: { reaction: Reaction; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {DRAWINGS[reaction]}
    </svg>
  );
}
