import { useEffect, useRef } from "react";

/** Says in a form what is wrong, within the window. Nothing for an empty text. */
export function Wrong({ text }: { text: string }) {
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    said.current?.scrollIntoView({ block: "nearest" });
  }, [text]);
  if (!text) return null;
  return (
    <p className="notice" role="alert" ref={said}>
      {text}
    </p>
  );
}
