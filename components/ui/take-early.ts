type Control = HTMLInputElement | HTMLTextAreaElement

/**
 * A ref for a control that the page follows: what was typed or chosen while its code was still on its way is told as if it
 * were done now, one control after the other. Without it the control would show one thing and the page would have another.
 */
export function takeEarly(control: Control | null): void {
  if (!control) return
  const { value } = control
  if (isChosenEarly(control)) queueMicrotask(() => choose(control))
  else if (value !== control.defaultValue) queueMicrotask(() => type(control, value))
}

/** Of radio buttons the chosen one is told; the one that gave way follows from it. */
function isChosenEarly(control: Control): control is HTMLInputElement {
  if (!('checked' in control)) return false
  return control.checked !== control.defaultChecked && (control.checked || control.type !== 'radio')
}

function choose(control: HTMLInputElement): void {
  control.checked = control.defaultChecked
  control.click()
}

function type(control: Control, text: string): void {
  // React listens to this setter and not to the one below it, and so takes the event for news.
  control.value = control.defaultValue
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, text)
  control.dispatchEvent(new Event('input', { bubbles: true }))
}
