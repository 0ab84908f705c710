/** How much of something there is, as a ring. */
export function Gauge({ part, text }: { part: number; text: string }) {
  return (
    <svg className="gauge" viewBox="0 0 28 28" role="img" aria-label={text}>
      <circle cx="14" cy="14" r="11" />
      <circle cx="14" cy="14" r="11" pathLength="1" strokeDasharray={`${part} 1`} />
    </svg>
  );
}
