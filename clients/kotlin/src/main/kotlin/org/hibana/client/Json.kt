package org.hibana.client

import java.time.Instant

/** A text is no JSON, or a value has another type than the API promises. */
class UnreadableException(message: String) : Exception(message)

internal fun wrong(want: String, got: Any?): Nothing =
    throw UnreadableException("want $want, got ${got?.javaClass?.simpleName ?: "nothing"}")

internal fun text(value: Any?): String = value as? String ?: wrong("a string", value)
internal fun flag(value: Any?): Boolean = value as? Boolean ?: wrong("true or false", value)
internal fun whole(value: Any?): Long = (value as? Number)?.toLong() ?: wrong("a number", value)
internal fun real(value: Any?): Double = (value as? Number)?.toDouble() ?: wrong("a number", value)
internal fun time(value: Any?): Instant = Instant.parse(text(value))
internal fun fields(value: Any?): Map<*, *> = value as? Map<*, *> ?: wrong("an object", value)
internal fun <T> list(value: Any?, of: (Any?) -> T): List<T> = (value as? List<*>).orEmpty().map(of)
internal fun <T> map(value: Any?, of: (Any?) -> T): Map<String, T> =
    fields(value).entries.associate { text(it.key) to of(it.value) }

/** An object without the fields that are null. */
internal fun present(vararg fields: Pair<String, Any?>): Map<String, Any> =
    buildMap { for ((name, value) in fields) if (value != null) put(name, value) }

/** Writes maps, lists, strings, numbers, booleans and null as JSON. */
internal fun jsonText(value: Any?): String = buildString { write(value) }

private fun StringBuilder.write(value: Any?) {
    when (value) {
        null, is Boolean, is Number -> append(value.toString())
        is Map<*, *> -> {
            append('{')
            value.entries.forEachIndexed { i, (name, of) ->
                if (i > 0) append(',')
                quote(name.toString())
                append(':')
                write(of)
            }
            append('}')
        }
        is List<*> -> {
            append('[')
            value.forEachIndexed { i, of ->
                if (i > 0) append(',')
                write(of)
            }
            append(']')
        }
        else -> quote(value.toString())
    }
}

private fun StringBuilder.quote(text: String) {
    append('"')
    for (c in text) {
        when {
            c == '"' || c == '\\' -> append('\\').append(c)
            c < ' ' -> append("\\u%04x".format(c.code))
            else -> append(c)
        }
    }
    append('"')
}

/** Reads JSON: maps, lists, strings, Long and Double, booleans and null. Throws an [UnreadableException]. */
internal fun parseJson(text: String): Any? = Reader(text).whole()

private class Reader(private val text: String) {
    private var at = 0

    fun whole(): Any? = value(0).also {
        space()
        if (at < text.length) fail()
    }

    private fun value(depth: Int): Any? {
        if (depth > 500) fail()
        space()
        return when (peek()) {
            '{' -> buildMap<String, Any?> {
                members('}') {
                    space()
                    val name = string()
                    space()
                    expect(':')
                    put(name, value(depth + 1))
                }
            }
            '[' -> buildList<Any?> { members(']') { add(value(depth + 1)) } }
            '"' -> string()
            't' -> word("true", true)
            'f' -> word("false", false)
            'n' -> word("null", null)
            else -> number()
        }
    }

    private inline fun members(end: Char, member: () -> Unit) {
        at++
        space()
        if (peek() == end) {
            at++
            return
        }
        while (true) {
            member()
            space()
            if (peek() == end) {
                at++
                return
            }
            expect(',')
        }
    }

    private fun string(): String = buildString {
        expect('"')
        while (true) {
            val c = peek()
            at++
            when (c) {
                '"' -> return@buildString
                '\\' -> {
                    val e = peek()
                    at++
                    when (e) {
                        'n' -> append('\n')
                        't' -> append('\t')
                        'r' -> append('\r')
                        'b' -> append('\b')
                        'f' -> append('\u000c')
                        'u' -> {
                            if (at + 4 > text.length) fail()
                            append((text.substring(at, at + 4).toIntOrNull(16) ?: fail()).toChar())
                            at += 4
                        }
                        '"', '\\', '/' -> append(e)
                        else -> fail()
                    }
                }
                else -> append(c)
            }
        }
    }

    private fun number(): Number {
        val from = at
        while (at < text.length && (text[at].isDigit() || text[at] in "+-.eE")) at++
        val number = text.substring(from, at)
        return number.toLongOrNull() ?: number.toDoubleOrNull() ?: fail()
    }

    private fun <T> word(word: String, value: T): T {
        if (!text.startsWith(word, at)) fail()
        at += word.length
        return value
    }

    private fun expect(c: Char) {
        if (peek() != c) fail()
        at++
    }

    private fun peek(): Char = if (at < text.length) text[at] else fail()

    private fun space() {
        while (at < text.length && text[at] in " \t\r\n") at++
    }

    private fun fail(): Nothing = throw UnreadableException("no JSON at character $at")
}
