interface LogoProps {
  /** 210x65 with the name, otherwise only the 45x45 mark. */
  open?: boolean;
  /** For dark backgrounds. */
  inverse?: boolean;
}

/** The product's logo. Decorative: the element around it has the accessible name. */
export function Logo({ open = false, inverse = false }: LogoProps) {
  return open ? (
    <svg width="210" height="65" viewBox="0 0 210 65" aria-hidden="true">
      <g transform="translate(16 10)">
        <Mark />
      </g>
      <text x="74" y="42" fontSize="27" fontWeight="650" letterSpacing="0.2" fill={inverse ? '#ffffff' : '#12263f'}>
        {'Rmeet'}
      </text>
    </svg>
  ) : (
    <svg width="45" height="45" viewBox="0 0 45 45" aria-hidden="true">
      <Mark />
    </svg>
  );
}

/** Two people at one table, seen from above. */
function Mark() {
  return (
    <>
      <rect x="2.5" y="2.5" width="40" height="40" rx="11" fill="#2f7fd6" />
      <path
        d="M13 33V13h10.5a6.5 6.5 0 0 1 0 13H13"
        fill="none"
        stroke="#ffffff"
        strokeWidth="4.2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <path d="m24.5 27 6 6" stroke="#ffffff" strokeWidth="4.2" strokeLinecap="round" />
      <circle cx="33.5" cy="13.5" r="3.4" fill="#8ff0c4" />
    </>
  );
}
