import { useLayoutEffect, type RefObject } from "react";

/**
 * Makes a text area as high as its text where the style sheet cannot, which says so by field-sizing.
 * The style sheet has the least and the greatest height.
 */
export function useGrowing(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const field = area.current;
    if (!field || CSS.supports("field-sizing", "content")) return;
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
  }, [area, text]);
}
