/** The mark of Hibana, and the sign of a like: a burst of sparks. */
export function Spark({ filled = false }: { filled?: boolean }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={filled ? 2.4 : 1.8}
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M12 2.5v5M12 16.5v5M2.5 12h5M16.5 12h5M5.3 5.3l3.5 3.5M15.2 15.2l3.5 3.5M5.3 18.7l3.5-3.5M15.2 8.8l3.5-3.5" />
      <circle cx="12" cy="12" r={filled ? 1.8 : 1.2} fill="currentColor" stroke="none" />
    </svg>
  );
}

/** A night with fireworks, always the same for the same seed. */
export function Fireworks({
  seed,
  count = 3,
  tall = false,
  square = false,
}: {
  seed: string;
  count?: number;
  tall?: boolean;
  square?: boolean;
}) {
  const random = from(seed);
  const [wide, high] = tall ? [70, 90] : square ? [32, 28] : [100, 30];
  const bursts = Array.from({ length: count }, (_, n) => {
    const x = (wide * (n + 0.3 + random() * 0.4)) / count;
    const y = high * (square ? 0.4 + random() * 0.15 : 0.16 + random() * (tall ? 0.34 : 0.5));
    const size = square ? 7 + random() * 5 : (tall ? 9 : 8) + random() * (tall ? 15 : 9);
    const colour = ["#ffc247", "#ff7a4d", "#ff5a7e", "#7cc8ff", "#c9a6ff"][
      Math.floor(random() * 5)
    ]!;
    const rays = 26 + Math.floor(random() * 18);
    let lines = "";
    const ends: [number, number][] = [];
    for (let r = 0; r < rays; r++) {
      const angle = (2 * Math.PI * (r + random() * 0.3)) / rays;
      const outer = size * (r % 2 ? 0.55 + 0.15 * random() : 0.85 + 0.15 * random());
      const at = (radius: number, fall: number): [number, number] => [
        x + radius * Math.cos(angle),
        y + radius * Math.sin(angle) + fall,
      ];
      const [begin, bend, end] = [at(size * 0.16, 0), at(outer * 0.7, 0), at(outer, size * 0.06)];
      lines += `M${point(begin)}Q${point(bend)} ${point(end)}`;
      ends.push(end);
    }
    return {
      colour,
      lines,
      ends,
      trail: `M${point([x - 1.5, high])}Q${point([x + 1.5, y + size])} ${point([x, y + size * 0.2])}`,
    };
  });
  return (
    <svg
      viewBox={`0 0 ${wide} ${high}`}
      preserveAspectRatio={square ? "xMidYMid slice" : "xMidYMin slice"}
      aria-hidden="true"
    >
      {bursts.map(({ colour, lines, ends, trail }) => (
        <g key={lines} className="spark-line" stroke={colour}>
          <path d={trail} strokeWidth="1" opacity="0.25" vectorEffect="non-scaling-stroke" />
          <path d={lines} strokeWidth="1.4" opacity="0.75" vectorEffect="non-scaling-stroke" />
          {ends.map(([cx, cy]) => (
            <circle
              key={`${cx} ${cy}`}
              cx={cx.toFixed(2)}
              cy={cy.toFixed(2)}
              r={tall ? 0.28 : square ? 0.14 : 0.2}
              fill={colour}
              stroke="none"
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

function point([x, y]: [number, number]): string {
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}

// from returns numbers between 0 and 1 that a text decides (mulberry32).
function from(seed: string): () => number {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0)!, 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
