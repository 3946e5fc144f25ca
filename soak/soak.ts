/** A long run: prints its progress, returns whether it passed. */
export type Soak = (options: {
  count?: number;
  minutes?: number;
  seed?: number;
  only?: string;
  postgres?: boolean;
  meetings?: number;
}) => Promise<{ passed: boolean; verdict: string }>;
