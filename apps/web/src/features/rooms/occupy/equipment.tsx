import type { ReactNode } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import type { Equipment } from './board.ts';

/** 20 px, in the text's colour, as the icons of `ui`. */
const drawings = {
  display: (
    <path d="M3 4.500h14a.8.8 0 0 1 .8.8v8a.8.8 0 0 1-.8.8H3a.8.8 0 0 1-.8-.8v-8A.8.8 0 0 1 3 4.500ZM7 17h6M10 14v3" />
  ),
  projector: (
    <path
      d={
        'M3 6.500h14a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1ZM12.500 12.300a2.300 ' +
        '2.300 0 1 0 0-4.600 2.300 2.300 0 0 0 0 4.600ZM5 10h2M5 13.500V16M15 13.500V16'
      }
    />
  ),
  camera: (
    <path
      d={
        'M3.500 5.500h8a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-8a1 1 0 ' +
        '0 1-1-1v-7a1 1 0 0 1 1-1ZM12.500 9l5-2.500v7l-5-2.500'
      }
    />
  ),
  microphone: (
    <path
      d={
        'M10 12.500a2.500 2.500 0 0 0 2.500-2.500V5a2.500 2.500 0 0 0-5 0v5a2.500 2.500 0 0 0 2.500 2.500ZM5 ' +
        '9.500V10a5 5 0 0 0 10 0v-.5M10 15v2.500M7.500 17.500h5'
      }
    />
  ),
  phone: (
    <path
      d={
        'M5 3h2.500l1.300 3.500-1.700 1.200a9 9 0 0 0 4.700 4.700l1.200-1.700L16.500 12v2.500a1.500 1.500 0 0 ' +
        '1-1.600 1.500A11.500 11.500 0 0 1 3.500 4.600 1.500 1.500 0 0 1 5 3Z'
      }
    />
  ),
  whiteboard: <path d="M3 4h14v9H3ZM7 17l1.500-4M13 17l-1.500-4M6 10c1.500-3 2.500-3 3.500-1.500s2 1 4-2" />,
  interpretation: <path d="M3 4.500h7v6H6l-2 2v-2H3ZM12 8h5v6h-1v2l-2-2h-4v-1.500M5 7.500h3" />,
  wheelchair: (
    <path
      d={
        'M8.500 5.200a1.100 1.100 0 1 0 0-2.200 1.100 1.100 0 0 0 0 2.200ZM8.500 7v5h4.500l2 4.500M8.500 ' +
        '9H12M6.600 10.200a4 4 0 1 0 5.300 5.300'
      }
    />
  ),
} satisfies Record<Equipment, ReactNode>;

/** A room's equipment: icons with accessible names, or with visible text if there is space. */
export function EquipmentList({ equipment, spelled = false }: { equipment: readonly Equipment[]; spelled?: boolean }) {
  const t = useTexts('occupy');
  if (equipment.length === 0) return null;
  return (
    <ul className="occupy-equipment" aria-label={t('equipmentTitle')}>
      {equipment.map((kind) => (
        <li key={kind} title={t(`equipment.${kind}`)}>
          <svg
            width="18"
            height="18"
            viewBox="0 0 20 20"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinecap="round"
            strokeLinejoin="round"
            aria-hidden="true"
          >
            {drawings[kind]}
          </svg>
          <span className={spelled ? undefined : 'visually-hidden'}>{t(`equipment.${kind}`)}</span>
        </li>
      ))}
    </ul>
  );
}
