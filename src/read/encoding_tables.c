/*
 * Encodings of one byte for each character: the characters of the bytes from 0x80 on, and their
 * frequency in texts. Written by tools/gen_encodings.py with the tables of iconv.
 */
#include "read/encoding.h"

// clang-format off
const hcbr_i_encoding hcbr_i_encodings[HCBR_I_ENCODINGS] = {
    {
        .name = "windows-1252",
        .others = " cp1252 1252 win1252 ansi ",
        .script = HCBR_I_SCRIPT_WESTERN,
        .advantage = 8,
        .codes =
            u"€\000‚ƒ„…†‡ˆ‰Š‹Œ\000Ž\000\000‘’“”•–—˜™š›œ\000žŸ\u00A0¡¢£¤¥¦§¨©ª«"
            u"¬\u00AD®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæ"
            u"çèéêëìíîïðñòóôõö÷øùúûüýþÿ",
        .kinds =
            ".-.s......C.C-C--.........s.s-sC................................"
            "CCCCCCCCCCCCCCCCCCCCCCC.CCCCCCCssssssssssssssssssssssss.ssssssss",
        .weights =
            "naaannkaaklagagaannnnnnnaklalalgnkakaaakakknaakankkkakakaaknkkkk"
            "lllllllllllggllgglgllglklglglggorrorrrrrrrpoornoooorolrarorlrpig",
    },
    {
        .name = "iso-8859-15",
        .others = " latin9 885915 l9 ",
        .script = HCBR_I_SCRIPT_WESTERN,
        .advantage = 0,
        .codes =
            u"\200\201\202\203\204\205\206\207\210\211\212\213\214\215\216\217"
            u"\220\221\222\223\224\225\226\227\230\231\232\233\234\235\236\237"
            u"\u00A0¡¢£€¥Š§š©ª«¬\u00AD®¯°±²³Žµ¶·ž¹º»ŒœŸ¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕ"
            u"Ö×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
        .kinds =
            "--------------------------------......C.s...........C...s...CsC."
            "CCCCCCCCCCCCCCCCCCCCCCC.CCCCCCCssssssssssssssssssssssss.ssssssss",
        .weights =
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaankaknalklkknaakankkkgkaklaknglgk"
            "lllllllllllggllgglgllglklglglggorrorrrrrrrpoornoooorolrarorlrpig",
    },
    {
        .name = "windows-1250",
        .others = " cp1250 1250 win1250 ",
        .script = HCBR_I_SCRIPT_CENTRAL,
        .advantage = 0,
        .codes =
            u"€\000‚\000„…†‡\000‰Š‹ŚŤŽŹ\000‘’“”•–—\000™š›śťžź\u00A0ˇ˘Ł¤Ą¦§¨©Ş«"
            u"¬\u00AD®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺć"
            u"çčéęëěíîďđńňóôőö÷řůúűüýţ˙",
        .kinds =
            ".-.-....-.C.CCCC-.......-.s.ssss...C.C....C....C...s.....ss.C.ss"
            "CCCCCCCCCCCCCCCCCCCCCCC.CCCCCCCssssssssssssssssssssssss.sssssss.",
        .weights =
            "naaannkaaknaiiliannnnnnnakrapprlnaalaiakakinaakinkapakakappnianp"
            "allllaianliiilliiiillilklililiioirorrlpirrpkprnlpnlroprapnrprppa",
    },
    {
        .name = "windows-1251",
        .others = " cp1251 1251 win1251 ",
        .script = HCBR_I_SCRIPT_CYRILLIC,
        .advantage = 0,
        .codes =
            u"ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\000™љ›њќћџ\u00A0ЎўЈ¤Ґ¦§Ё©Є«¬\u00AD®Ї°±І"
            u"іґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрст"
            u"уфхцчшщъыьэюя",
        .kinds =
            "CC.s......C.CCCCs.......-.s.ssss.CsC.C..C.C....C..Css...s.s.sCss"
            "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCssssssssssssssssssssssssssssssss",
        .weights =
            "ggagnnkankgagagggnnnnnnnaklalglgnglgagakgkgnaakgnkgngkaklklnnggl"
            "ljljljgjlgljlllllljjjjjjjgggggggqnqnqqnnqnqqqqqqqqqqnnnnnllnnlln",
    },
    {
        .name = "macintosh",
        .others = " macroman mac xmacroman ",
        .script = HCBR_I_SCRIPT_WESTERN,
        .advantage = -8,
        .codes =
            u"ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø"
            u"¿¡¬√ƒ≈Δ«»…\u00A0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔÒÚÛÙıˆ˜¯˘˙"
            u"˚¸˝˛ˇ",
        .kinds =
            "CCCCCCCsssssssssssssssssssssssss.......s......CC.........s...Css"
            "....s.C....CCCCs........sC....ss.....CCCCCCCCCCC.CCCCs..........",
        .weights =
            "lllllllrrorrrrrrporonooroorlrolrknakknaokkkaaallakaaakaaaaakkarr"
            "kkaaaaannnnllgglnnnnnnaagganaaaaakanklllglllggllaglggaaaaaaaaaaa",
    },
    {
        .name = "iso-8859-2",
        .others = " latin2 88592 l2 ",
        .script = HCBR_I_SCRIPT_CENTRAL,
        .advantage = -4,
        .codes =
            u"\200\201\202\203\204\205\206\207\210\211\212\213\214\215\216\217"
            u"\220\221\222\223\224\225\226\227\230\231\232\233\234\235\236\237"
            u"\u00A0Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u00ADŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐ"
            u"Ö×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
        .kinds =
            "--------------------------------.C.C.CC..CCCC.CC.s.s.ss..ssss.ss"
            "CCCCCCCCCCCCCCCCCCCCCCC.CCCCCCCssssssssssssssssssssssss.sssssss.",
        .weights =
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaanialaiikaniiialinpapanpaarpplarp"
            "allllaianliiilliiiillilklililiioirorrlpirrpkprnlpnlroprapnrprppa",
    },
    {
        .name = "ibm850",
        .others = " cp850 850 dos ",
        .script = HCBR_I_SCRIPT_WESTERN,
        .advantage = -8,
        .codes =
            u"ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐"
            u"└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·"
            u"¹³²■\u00A0",
        .kinds =
            "CsssssssssssssCCCsCssssssCCs.C.ssssssC...............CCC........"
            "......sC........sCCCCsCCC.....C.CsCCsC.sCCCCsC..................",
        .weights =
            "lrrorrrrporonolllrlorologllrklkarrrrolkkkkakkknnaaaaalllkaaaaaaa"
            "aaaaaarlaaaaaaaaoglglallgaaaaagalolglgkiglggpgaaakakakaanakakkan",
    },
    {
        .name = "koi8-r",
        .others = " koi8 ",
        .script = HCBR_I_SCRIPT_CYRILLIC,
        .advantage = -8,
        .codes =
            u"─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u00A0⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨"
            u"╩╪╫╬©юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗ"
            u"ШЭЩЧЪ",
        .kinds =
            "...................................s...............C............"
            "ssssssssssssssssssssssssssssssssCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
        .weights =
            "aaaaaaaaaaaaaaaaaaaaaaaaaanankkaaaalaaaaaaaaaaaaaaagaaaaaaaaaaak"
            "lqnnqqnnnqnqqqqqqnqqqqnqnnnnllnlgljjljjjjlgljllllglljjglggjjggjg",
    },
    {
        .name = "ibm866",
        .others = " cp866 866 ",
        .script = HCBR_I_SCRIPT_CYRILLIC,
        .advantage = -8,
        .codes =
            u"АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            u"└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀рстуфхцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■"
            u"\u00A0",
        .kinds =
            "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCssssssssssssssss................"
            "................................ssssssssssssssssCsCsCsCs........",
        .weights =
            "ljljljgjlgljlllllljjjjjjjgggggggqnqnqqnnqnqqqqqqaaaaaaaaaaaaaaaa"
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaqqqqnnnnnllnnllnglglglglnakakaan",
    },
    {
        .name = "iso-8859-1",
        .others = " latin1 88591 l1 ",
        .script = HCBR_I_SCRIPT_NEVER,
        .advantage = 0,
        .codes =
            u"\200\201\202\203\204\205\206\207\210\211\212\213\214\215\216\217"
            u"\220\221\222\223\224\225\226\227\230\231\232\233\234\235\236\237"
            u"\u00A0¡¢£¤¥¦§¨©ª«¬\u00AD®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕ"
            u"Ö×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
        .kinds =
            "--------------------------------................................"
            "CCCCCCCCCCCCCCCCCCCCCCC.CCCCCCCssssssssssssssssssssssss.ssssssss",
    },
};
// clang-format on
